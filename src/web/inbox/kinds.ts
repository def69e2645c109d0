import {
  AtSign,
  Columns3,
  FolderPlus,
  type LucideIcon,
  MessageSquare,
  TriangleAlert,
  UserPlus,
  Users,
} from "lucide-react";
import type { Notification } from "../../shared/notifications.ts";

type Kind = { word: string; plural: string; icon: LucideIcon };

/** What an entry of each type is called and looks like (service.md 6). */
export const KINDS: Record<Notification["type"], Kind> = {
  1: { word: "Assignment", plural: "Assignments", icon: UserPlus },
  2: { word: "Comment", plural: "Comments", icon: MessageSquare },
  3: { word: "Lane change", plural: "Lane changes", icon: Columns3 },
  4: { word: "Mention", plural: "Mentions", icon: AtSign },
  5: { word: "Project", plural: "Added to projects", icon: FolderPlus },
  6: { word: "Team", plural: "Added to teams", icon: Users },
  7: { word: "Report", plural: "New reports", icon: TriangleAlert },
};
