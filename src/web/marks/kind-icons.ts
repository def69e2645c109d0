import {
  Bug,
  CircleDot,
  type LucideIcon,
  Megaphone,
  MessageSquare,
  Milestone,
  TriangleAlert,
} from "lucide-react";
import { FlagIcon } from "../kit/flag-icon.ts";

/** The one icon of each kind of thing, in the navigation, in lists and in search. */
export const KIND_ICONS = {
  issue: CircleDot,
  epic: Milestone,
  report: Megaphone,
  error: TriangleAlert,
  comment: MessageSquare,
  release: FlagIcon,
  /** An issue of this type. */
  bug: Bug,
} as const satisfies Record<string, LucideIcon>;
