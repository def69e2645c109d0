import {
  Bug,
  CircleDot,
  HeartPulse,
  type LucideIcon,
  Megaphone,
  MessageSquare,
  Milestone,
  TriangleAlert,
} from "lucide-react";
import createIcon from "../kit/create-icon.ts";

/** The flag of the logo, which stands for a release. */
const FlagIcon = createIcon({
  name: "signalbox-flag",
  node: [
    ["path", { d: "M6 21V3", key: "pole" }],
    ["path", { d: "M6 4h13l-3.4 4.25L19 12.5H6", key: "flag" }],
  ],
});

/** The one icon of each kind of thing, in the navigation, in lists and in search. */
export const KIND_ICONS = {
  issue: CircleDot,
  epic: Milestone,
  report: Megaphone,
  error: TriangleAlert,
  comment: MessageSquare,
  release: FlagIcon,
  monitor: HeartPulse,
  /** An issue of this type. */
  bug: Bug,
} as const satisfies Record<string, LucideIcon>;
