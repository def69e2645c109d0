import { z } from "zod";
import { filter } from "./filters.ts";
import { mustBe } from "./text.ts";

/** The contract of error groups (service.md 2.7–2.9, 4.4). */

export const OPEN = 0;
export const RESOLVED = 1;
export const IGNORED = 2;
export type ErrorGroupStatus = typeof OPEN | typeof RESOLVED | typeof IGNORED;

export const MOST_LISTED = 500;
export const LISTED_DAYS = 14;
export const DETAIL_DAYS = 30;
export const LISTED_MESSAGE = 500;
export const MOST_HOSTS = 10;

const wholeNumber = (text: string) => (/^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN);
const status = z.literal([OPEN, RESOLVED, IGNORED], {
  error: "must be 0 (open), 1 (resolved) or 2 (ignored)",
});

export const errorGroupListQuery = z.object({
  limit: z
    .string({ error: "must be given once" })
    .transform(wholeNumber)
    .refine((value) => value >= 1 && value <= MOST_LISTED, `must be a whole number from 1 to ${MOST_LISTED}`)
    .default(MOST_LISTED),
  environment: filter,
  release: filter,
  query: filter,
  status: filter
    .transform((value) => (value === undefined ? undefined : wholeNumber(value)))
    .pipe(status.optional()),
});

export const allErrorGroupsQuery = errorGroupListQuery.extend({
  project_id: filter
    .transform((value) => (value === undefined ? undefined : wholeNumber(value)))
    .pipe(z.int({ error: "must be a positive integer" }).positive("must be a positive integer").optional()),
});

export type ErrorGroupFilters = z.output<typeof allErrorGroupsQuery>;

export const bulkStatusBody = z.object({
  error_group_ids: z
    .array(z.int(mustBe("an integer")), mustBe("an array"))
    .min(1, "must have at least one id")
    .max(500, "must have at most 500 ids")
    .refine((ids) => new Set(ids).size === ids.length, "must have each id at most once"),
  status,
});

/** What list and detail share. */
type ErrorGroupBase = {
  id: number;
  project_id: number;
  environment: string;
  release: string | null;
  last_release: string | null;
  exception_class: string;
  latest_message: string;
  context_kind: "route" | "job" | "command" | null;
  context_label: string | null;
  occurrence_count: number;
  daily_counts: number[];
  affected_users: number | null;
  status: ErrorGroupStatus;
  resolved_at: string | null;
  resolved_by_id: number | null;
  regressed_at: string | null;
  reopen_count: number;
  linked_issue_id: number | null;
  first_seen_at: string;
  last_seen_at: string;
  created_at: string;
  updated_at: string;
};

export type ErrorGroupListItem = ErrorGroupBase;

export type NameAndVersion = { name: string | null; version: string | null };

export type ErrorGroup = ErrorGroupBase & {
  latest_stack_trace: string;
  previous_exceptions: { exception_class: string; message: string; stack_trace: string }[];
  exception_code: string | null;
  runtime: NameAndVersion;
  framework: NameAndVersion;
  memory_peak_bytes: number | null;
  memory_limit_bytes: number | null;
  context: Record<string, string | number | null> | null;
  releases: { release: string; occurrence_count: number; first_seen_at: string; last_seen_at: string }[];
  hosts: { name: string; count: number }[];
};

export type ErrorGroupList = {
  data: ErrorGroupListItem[];
  meta: { truncated: boolean; count: number; limit: number };
};
