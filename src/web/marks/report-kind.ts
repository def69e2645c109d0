import { CircleQuestionMark, Lightbulb, type LucideIcon } from "lucide-react";
import type { ReportKind } from "../../shared/feedback.ts";
import { KIND_ICONS } from "./kind-icons.ts";

/** The name and icon of what the author of a report calls it. */
export const REPORT_KIND_MARKS: Record<ReportKind, { label: string; icon: LucideIcon }> = {
  bug: { label: "Bug", icon: KIND_ICONS.bug },
  idea: { label: "Idea", icon: Lightbulb },
  question: { label: "Question", icon: CircleQuestionMark },
};
