import type { Report } from "../../shared/reports.ts";
import { ApiError } from "../api/client.ts";
import type { NewIssueFields } from "../data/reports/promote.ts";

/** All fields of the new issue except title and description. `estimate` is the text entered. */
export type PromoteFields = {
  /** null for the first lane. */
  lane_id: number | null;
  priority: number;
  /** null for the proposed one. */
  type: 0 | 1 | null;
  assignee_id: number | null;
  sprint_id: number | null;
  epic_id: number | null;
  estimate: string;
  label_ids: number[];
  blocked_by_ids: number[];
  blocks_ids: number[];
};

/** Title and description are null until the user edits them: they then follow the included reports. */
export type PromoteDraft = PromoteFields & {
  title: string | null;
  description: string | null;
  /** The template that has filled it. */
  template_id: number | null;
};

/** The server's defaults, apart from the type. */
export const PROMOTE_START: PromoteDraft = {
  title: null,
  description: null,
  template_id: null,
  lane_id: null,
  priority: 2,
  type: null,
  assignee_id: null,
  sprint_id: null,
  epic_id: null,
  estimate: "",
  label_ids: [],
  blocked_by_ids: [],
  blocks_ids: [],
};

/** The server's defaults for an error. */
export const PROMOTE_ERROR_START: PromoteDraft = { ...PROMOTE_START, priority: 1 };

/** An error is a bug, and so is what a report says about one, or what its author calls a bug. */
export const proposedType = (hasError: boolean, reports: readonly Pick<Report, "kind">[]): 0 | 1 =>
  hasError || reports.some(({ kind }) => kind === "bug") ? 1 : 0;

/** The name of the draft of a promotion of these reports. */
export const promoteDraftOf = (reports: readonly Report[]) =>
  `promote:${reports.map(({ id }) => id).join(",")}`;

/** The fields of the issue for a draft; `text` is what is shown. */
export function issueFieldsOf(
  { lane_id, type, estimate: _text, template_id: _template, ...rest }: PromoteDraft,
  text: { title: string; description: string },
  more: { firstLane: number | undefined; minutes: number | null; type: 0 | 1 },
): NewIssueFields {
  return {
    ...rest,
    ...text,
    type: type ?? more.type,
    lane_id: lane_id ?? more.firstLane ?? null,
    estimated_minutes: more.minutes,
  };
}

/** The server's error for a field. Errors of a list name the entry, such as `label_ids.0`. */
export function promoteErrorOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return (
    error.messageFor(field) ??
    error.messageFor(Object.keys(error.errors).find((name) => name.startsWith(`${field}.`)) ?? "")
  );
}
