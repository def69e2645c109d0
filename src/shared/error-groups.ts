import { z } from "zod";
import { factAnswers, factExamples } from "./event-facts.ts";
import { count, momentWithOffset } from "./answers.ts";
import {
  changeId,
  errorGroupIds,
  snoozeAnswer,
  snoozeProgressAnswer,
  UNDO_REFUSALS,
  until,
} from "./error-group-work.ts";
import { codeOwnerAnswer, gitLinkAnswer, gitLinkExample } from "./git.ts";
import { asId, booleanFilter, filter, filterOf, idsFilter } from "./filters.ts";
import { importedFromAnswer } from "./imported-from.ts";
import { LEVELS } from "./levels.ts";
import { id, line, optional } from "./text.ts";
import { FIRST, LAST } from "./example-values.ts";

export const OPEN = 0;
export const RESOLVED = 1;
export const IGNORED = 2;
export type ErrorGroupStatus = typeof OPEN | typeof RESOLVED | typeof IGNORED;

const MAX_GROUPS = 500;
export const LISTED_DAYS = 14;
export const DETAIL_DAYS = 30;
export const MAX_LISTED_MESSAGE_LENGTH = 500;
export const MAX_HOSTS = 10;
export const MAX_RELEASES = 1_000;

const wholeNumber = (text: string) => (/^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN);
const status = z.literal([OPEN, RESOLVED, IGNORED], {
  error: "must be 0 (open), 1 (resolved) or 2 (ignored)",
});

const ERROR_GROUP_SORTS = ["last_seen", "first_seen", "events", "users", "impact"] as const;
export type ErrorGroupSort = (typeof ERROR_GROUP_SORTS)[number];

/** `key:value`, each of which may contain further colons. */
const tag = filterOf("must be key:value", (value) => (value.indexOf(":") < 1 ? undefined : value));

export const errorGroupListQuery = z.object({
  sort: filterOf(`must be one of ${ERROR_GROUP_SORTS.join(", ")}`, (value) =>
    ERROR_GROUP_SORTS.find((sort) => sort === value),
  ).meta({
    description:
      "Default: `last_seen`. `impact` is ten times the users plus the events of the last 24 hours; groups that are new or regressed within these 24 hours come before all others. Events are counted by UTC day, so those of yesterday count by the part of it that belongs to the last 24 hours.",
  }),
  /** Default: desc. */
  direction: filterOf("must be asc or desc", (value) =>
    value === "asc" || value === "desc" ? value : undefined,
  ),
  cursor: filter.meta({ description: "`next_cursor` of the previous page." }),
  level: filterOf(`must be one of ${LEVELS.join(", ")}`, (value) => LEVELS.find((level) => level === value)),
  regressed: booleanFilter.meta({
    description: "true or false: whether an event opened the group again after a resolution.",
  }),
  first_release: filter.meta({ description: "The release of the group's first event." }),
  tag: tag.meta({
    description: "A key and a value, separated by a colon: groups with a kept event that has this tag.",
  }),
  limit: z
    .string({ error: "must be given only once" })
    .transform(wholeNumber)
    .refine((value) => value >= 1 && value <= MAX_GROUPS, `must be a whole number from 1 to ${MAX_GROUPS}`)
    .default(MAX_GROUPS)
    .meta({ type: "integer", minimum: 1, maximum: MAX_GROUPS, default: MAX_GROUPS }),
  ids: idsFilter,
  environment: filter.meta({ description: "The environment of the group." }),
  release: filter.meta({ description: "Any release in which the group occurred." }),
  query: filter.meta({
    description:
      "A text that the exception class, the latest message, the context's label, or the function or file of a top frame contains, in upper or lower case. The top frames are the one that threw and the app's own one closest to it.",
  }),
  status: filter
    .transform((value) => (value === undefined ? undefined : wholeNumber(value)))
    .pipe(status.optional())
    .meta({
      type: "integer",
      enum: [OPEN, RESOLVED, IGNORED],
      description: "0 open, 1 resolved, 2 ignored.",
    }),
  /** `me` is the caller, `none` means without assignee. */
  assignee_id: filterOf("must be an id, me or none", (value) =>
    value === "me" ? ("me" as const) : value === "none" ? null : asId(value),
  ),
});

export const allErrorGroupsQuery = errorGroupListQuery.extend({
  project_id: filter
    .transform((value) => (value === undefined ? undefined : wholeNumber(value)))
    .pipe(z.int({ error: "must be a positive integer" }).positive("must be a positive integer").optional())
    .meta({ type: "integer", minimum: 1, description: "Only groups of this project." }),
});

export type ErrorGroupFilters = z.output<typeof allErrorGroupsQuery>;

/** The name of a release in a request. Releases of events may have longer names. */
export const releaseName = line(255);

/**
 * `next_release`: events of releases that the project has seen by now leave the group resolved, and the first event of a
 * newer one opens it again. A named release: events of it and of newer ones do.
 */
const resolveIn = z.union([
  z.literal("next_release"),
  z.object({ release: releaseName }, { error: "must be next_release or an object with a release" }),
]);

export type ResolveIn = z.output<typeof resolveIn>;

export const resolveBody = z.object({ in: optional(resolveIn), change_id: changeId });

export const bulkStatusBody = z
  .object({
    error_group_ids: errorGroupIds,
    status,
    /** Only for status 1. */
    in: optional(resolveIn),
    /** Only for status 2. */
    until,
    change_id: changeId,
  })
  .refine((body) => body.in === undefined || body.status === RESOLVED, {
    path: ["in"],
    message: "is only for status 1",
  })
  .refine((body) => body.until === undefined || body.status === IGNORED, {
    path: ["until"],
    message: "is only for status 2",
  });

const groupStatus = z.literal([OPEN, RESOLVED, IGNORED]);

/** Fields of both the list and the detail. */
const sharedFields = {
  id,
  project_id: id,
  environment: z.string(),
  release: z.string().nullable(),
  last_release: z.string().nullable(),
  exception_class: z.string(),
  latest_message: z.string(),
  /** Of the latest event. */
  level: z.enum(LEVELS),
  context_kind: z.enum(["route", "job", "command"]).nullable(),
  context_label: z.string().nullable(),
  occurrence_count: count,
  affected_users: z.int().positive().nullable(),
  status: groupStatus,
  resolved_at: momentWithOffset.nullable(),
  resolved_by_id: id.nullable(),
  regressed_at: momentWithOffset.nullable(),
  reopen_count: count,
  /** Null unless the group is resolved in the next or in a named release. */
  resolved_in: z
    .strictObject({ mode: z.enum(["next_release", "release"]), release: z.string().nullable() })
    .nullable(),
  /** When a release newer than the one it was resolved in had been running for 48 hours without this group. */
  verified_at: momentWithOffset.nullable(),
  linked_issue_id: id.nullable(),
  assignee_id: id.nullable(),
  /** What ends the group's snooze; null unless it is ignored until then. */
  snoozed_until: snoozeAnswer.nullable(),
  /** The progress of the snooze's conditions; null unless the group is snoozed. */
  snooze_progress: snoozeProgressAnswer.nullable(),
  first_seen_at: momentWithOffset,
  last_seen_at: momentWithOffset,
  created_at: momentWithOffset,
  updated_at: momentWithOffset,
  imported_from: importedFromAnswer.nullable(),
};

/** Events per UTC day, oldest first, today last. */
const dailyCounts = (days: number) => z.array(count).length(days);

export const errorGroupListItemAnswer = z.strictObject({
  ...sharedFields,
  daily_counts: dailyCounts(LISTED_DAYS),
});

export type ErrorGroupListItem = z.infer<typeof errorGroupListItemAnswer>;

export const nameAndVersion = z.strictObject({ name: z.string().nullable(), version: z.string().nullable() });

export type NameAndVersion = z.infer<typeof nameAndVersion>;

const text = z.string().nullable();
export const contextAnswer = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("route"),
    name: text,
    method: text,
    pattern: text,
    action: text,
    response_status: z.int().nullable(),
  }),
  z.strictObject({ kind: z.literal("job"), name: text, queue: text, attempt: z.int().nullable() }),
  z.strictObject({ kind: z.literal("command"), name: text, class: text }),
]);

export const previousExceptions = z.array(
  z.strictObject({ exception_class: z.string(), message: z.string(), stack_trace: z.string() }),
);

export const errorGroupAnswer = z.strictObject({
  ...sharedFields,
  daily_counts: dailyCounts(DETAIL_DAYS),
  latest_stack_trace: z.string(),
  previous_exceptions: previousExceptions,
  runtime: nameAndVersion,
  framework: nameAndVersion,
  ...factAnswers,
  context: contextAnswer.nullable(),
  /** The latest by first appearance, in that order. */
  releases: z
    .array(
      z.strictObject({
        release: z.string(),
        occurrence_count: count,
        first_seen_at: momentWithOffset,
        last_seen_at: momentWithOffset,
      }),
    )
    .max(MAX_RELEASES),
  /** How many releases the group has in all. */
  releases_count: count,
  hosts: z.array(z.strictObject({ name: z.string(), count })).max(MAX_HOSTS),
  /** How many of its events are kept in full. */
  kept_events_count: count,
  /** When it was linked to its issue: when the issue was created, if that was created from it. */
  linked_at: momentWithOffset.nullable(),
  /** The commits and requests that name the group, oldest first. */
  git_links: z.array(gitLinkAnswer),
  /** Who owns the file of the app's own frame closest to the error, by the project's CODEOWNERS. */
  owners: z.array(codeOwnerAnswer),
});

export type ErrorGroup = z.infer<typeof errorGroupAnswer>;

export const errorGroupListAnswer = z.strictObject({
  data: z.array(errorGroupListItemAnswer),
  meta: z.strictObject({
    truncated: z.boolean(),
    count,
    limit: z.int().positive(),
    /** Null on the last page. */
    next_cursor: z.string().nullable(),
  }),
});

export type ErrorGroupList = z.infer<typeof errorGroupListAnswer>;

/** `refused_ids` has the order of the request and may contain any integer that was sent. */
export const bulkStatusAnswer = z.strictObject({
  data: z.array(errorGroupListItemAnswer),
  refused_ids: z.array(z.int()),
});

export type BulkStatus = z.infer<typeof bulkStatusAnswer>;

/**
 * `data` are the groups that were returned to what they were. The others have changed since: an event opened them again
 * (`regressed`), their snooze ended, or someone changed them; or the caller may no longer change them.
 */
export const undoneChangeAnswer = z.strictObject({
  data: z.array(errorGroupListItemAnswer),
  refused: z.array(z.strictObject({ error_group_id: id, reason: z.enum(UNDO_REFUSALS) })),
});

export type UndoneChange = z.infer<typeof undoneChangeAnswer>;

const listed: ErrorGroupListItem = {
  id: 77,
  project_id: 5,
  environment: "production",
  release: "4.2.0",
  last_release: "4.2.1",
  exception_class: "App\\Exceptions\\CouponExpired",
  latest_message: "Coupon SPRING26 has expired",
  level: "error",
  context_kind: "route",
  context_label: "POST /cart/{cart}/coupon",
  occurrence_count: 34,
  affected_users: 12,
  status: 0,
  resolved_at: null,
  resolved_by_id: null,
  regressed_at: null,
  reopen_count: 0,
  resolved_in: null,
  verified_at: null,
  linked_issue_id: 312,
  assignee_id: 3,
  snoozed_until: null,
  snooze_progress: null,
  first_seen_at: FIRST,
  last_seen_at: LAST,
  created_at: FIRST,
  updated_at: LAST,
  imported_from: null,
  daily_counts: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 11, 20],
};

const group: ErrorGroup = {
  ...listed,
  daily_counts: [...Array.from({ length: 27 }, () => 0), 3, 11, 20],
  latest_stack_trace: "#0 /var/www/shop/app/Cart/Coupons.php(58): App\\Cart\\Coupons->check()",
  previous_exceptions: [
    {
      exception_class: "DomainException",
      message: "Coupon is no longer valid",
      stack_trace: "#0 app/Cart/Coupon.php(21): check()",
    },
  ],
  runtime: { name: "php", version: "8.4.2" },
  framework: { name: "laravel", version: "12.1" },
  ...factExamples,
  context: {
    kind: "route",
    name: "cart.coupon",
    method: "POST",
    pattern: "/cart/{cart}/coupon",
    action: "CouponController@store",
    response_status: 500,
  },
  releases: [
    { release: "4.2.0", occurrence_count: 14, first_seen_at: FIRST, last_seen_at: FIRST },
    { release: "4.2.1", occurrence_count: 20, first_seen_at: LAST, last_seen_at: LAST },
  ],
  releases_count: 2,
  hosts: [{ name: "web-1", count: 34 }],
  kept_events_count: 12,
  linked_at: LAST,
  git_links: [gitLinkExample],
  owners: [{ user_id: 3, username: "ada" }],
};

/** Examples for the API reference. */
export const errorGroupExamples = {
  ErrorGroup: { schema: errorGroupAnswer, example: group },
  ErrorGroupListItem: { schema: errorGroupListItemAnswer, example: listed },
  ResolveBody: { schema: resolveBody, example: { in: { release: "4.13.0" } } },
  UndoneChange: {
    schema: undoneChangeAnswer,
    example: { data: [listed], refused: [{ error_group_id: 78, reason: "regressed" }] },
  },
  BulkStatusBody: { schema: bulkStatusBody, example: { error_group_ids: [77, 78], status: 1 } },
};
