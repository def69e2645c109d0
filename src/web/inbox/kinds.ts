import {
  AlarmClock,
  AtSign,
  BadgeCheck,
  CircleCheckBig,
  Columns3,
  FolderPlus,
  type LucideIcon,
  MessagesSquare,
  RotateCcw,
  Siren,
  TrendingUp,
  UserPlus,
  Users,
  Webhook,
} from "lucide-react";
import type { Notification } from "../../shared/notifications.ts";
import { KIND_ICONS } from "../marks/kind-icons.ts";

type Kind = { name: string; plural: string; icon: LucideIcon };

/** The name and icon of each type of notification. */
export const KINDS: Record<Notification["type"], Kind> = {
  1: { name: "Assignment", plural: "Assignments", icon: UserPlus },
  2: { name: "Comment", plural: "Comments", icon: KIND_ICONS.comment },
  3: { name: "Lane change", plural: "Lane changes", icon: Columns3 },
  4: { name: "Mention", plural: "Mentions", icon: AtSign },
  5: { name: "Project", plural: "Added to projects", icon: FolderPlus },
  6: { name: "Team", plural: "Added to teams", icon: Users },
  7: { name: "Report", plural: "New reports", icon: KIND_ICONS.report },
  8: { name: "Error assigned", plural: "Assigned errors", icon: UserPlus },
  9: { name: "Regression", plural: "Regressions", icon: RotateCcw },
  10: { name: "New error", plural: "New errors", icon: KIND_ICONS.error },
  11: { name: "Snooze ended", plural: "Ended snoozes", icon: AlarmClock },
  12: { name: "Discussion", plural: "Comments on errors and reports", icon: MessagesSquare },
  13: { name: "Fix verified", plural: "Verified fixes", icon: BadgeCheck },
  14: { name: "Issue reopened", plural: "Reopened issues", icon: KIND_ICONS.issue },
  15: { name: "Report done", plural: "Your reports that are done", icon: CircleCheckBig },
  16: { name: "Spike", plural: "Spikes", icon: TrendingUp },
  17: { name: "Alert", plural: "Alerts", icon: Siren },
  18: { name: "Webhook", plural: "Disabled webhooks", icon: Webhook },
};
