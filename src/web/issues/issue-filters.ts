import type { Issue } from "../../shared/issues.ts";
import { addDays } from "../kit/dates/days.ts";
import { FILTERS } from "./filter-names.ts";

/** The filters in the address. Each is a comma-separated list of values. */
export type IssueView = {
  query?: string | undefined;
  assignee?: string | undefined;
  label?: string | undefined;
  epic?: string | undefined;
  sprint?: string | undefined;
  type?: string | undefined;
  priority?: string | undefined;
  lane?: string | undefined;
  /** `overdue`, `today`, `week` or `none` */
  due?: string | undefined;
  parent?: string | undefined;
  /** `open` unless `closed` or `all`. */
  state?: string | undefined;
};

export const valuesOf = (text: string | undefined): string[] => text?.split(",").filter(Boolean) ?? [];

/** `undefined` if empty, which removes it from the address. */
export const textOf = (values: readonly string[]): string | undefined => values.join(",") || undefined;

export const isFiltered = (view: IssueView): boolean => FILTERS.some((name) => Boolean(view[name]));

/**
 * Whether an issue matches the filters, except its state: see `inState`. `me` is the user's id, `today` the date in the user's
 * time zone.
 */
export function matcher(view: IssueView, me: number, today: string): (issue: Issue) => boolean {
  const among = (text: string | undefined) => {
    const values = new Set(valuesOf(text));
    if (values.size === 0) return () => true;
    return (value: number | null) =>
      values.has(value === null ? "none" : String(value)) || (value === me && values.has("me"));
  };
  const plain = (text: string | undefined) => {
    const values = new Set(valuesOf(text));
    return (value: number | null) => values.size === 0 || values.has(value === null ? "none" : String(value));
  };
  const assignee = among(view.assignee);
  const [epic, sprint, type, priority, lane, parent] = [
    plain(view.epic),
    plain(view.sprint),
    plain(view.type),
    plain(view.priority),
    plain(view.lane),
    plain(view.parent),
  ];
  const labels = valuesOf(view.label);
  const due = valuesOf(view.due);
  const words = view.query?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  return (issue) =>
    assignee(issue.assignee_id) &&
    epic(issue.epic_id) &&
    sprint(issue.sprint_id) &&
    type(issue.type) &&
    priority(issue.priority) &&
    lane(issue.lane_id) &&
    parent(issue.parent_id) &&
    isDue(issue, due, today) &&
    hasLabel(issue, labels) &&
    hasWords(issue, words);
}

/** An issue is closed if it has `closed_at`, that is, if its lane is of the kind `done`. */
export function inState(issue: Issue, state: string | undefined): boolean {
  if (state === "all") return true;
  return (issue.closed_at !== null) === (state === "closed");
}

function hasLabel({ label_ids }: Issue, labels: readonly string[]): boolean {
  if (labels.length === 0) return true;
  return labels.some((label) =>
    label === "none" ? label_ids.length === 0 : label_ids.includes(Number(label)),
  );
}

function isDue({ due_on, closed_at }: Issue, when: readonly string[], today: string): boolean {
  if (when.length === 0) return true;
  if (due_on === null) return when.includes("none");
  return (
    (when.includes("overdue") && due_on < today && closed_at === null) ||
    (when.includes("today") && due_on === today) ||
    (when.includes("week") && due_on >= today && due_on < addDays(today, 7))
  );
}

/** Whether the key and the title contain every word. */
function hasWords({ key, title }: Issue, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = `${key} ${title}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
