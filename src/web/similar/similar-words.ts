import type { SimilarItem, SimilarKind } from "../../shared/similar.ts";
import { LANE_KIND_WORDS } from "../marks/lane-mark.tsx";

/** The title after the key of an issue or the number of a report. */
export function nameOfSimilar({ kind, id, key, title }: SimilarItem): string {
  if (kind === "error_group") return title;
  return `${key ?? `#${id}`} ${title}`;
}

/** "Issue · In progress" */
export const stateOfSimilar = ({ kind, state }: SimilarItem): string => `${KINDS[kind]} · ${STATES[state]}`;

const KINDS: Record<SimilarKind, string> = { report: "Report", issue: "Issue", error_group: "Error" };

const STATES: Record<SimilarItem["state"], string> = {
  active: "Active",
  promoted: "Promoted",
  dismissed: "Dismissed",
  ...LANE_KIND_WORDS,
  open: "Open",
  resolved: "Resolved",
  ignored: "Ignored",
};
