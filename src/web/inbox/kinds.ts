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

type Kind = { name: string; plural: string; icon: LucideIcon };

/** The name and icon of each type of notification. */
export const KINDS: Record<Notification["type"], Kind> = {
  1: { name: "Assignment", plural: "Assignments", icon: UserPlus },
  2: { name: "Comment", plural: "Comments", icon: MessageSquare },
  3: { name: "Lane change", plural: "Lane changes", icon: Columns3 },
  4: { name: "Mention", plural: "Mentions", icon: AtSign },
  5: { name: "Project", plural: "Added to projects", icon: FolderPlus },
  6: { name: "Team", plural: "Added to teams", icon: Users },
  7: { name: "Report", plural: "New reports", icon: TriangleAlert },
};
