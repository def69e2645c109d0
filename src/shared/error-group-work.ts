import { z } from "zod";
import { moment } from "./answers.ts";
import { AT } from "./example-values.ts";
import { booleanFilter } from "./filters.ts";
import { issueBody, issueName } from "./issues.ts";
import { clearable, distinctIds, future, id, line, mustBe, optional } from "./text.ts";

/** Work on error groups: assignee and history. */

const uuid = z.uuid(mustBe("a UUID")).toLowerCase();

/** Chosen by the client, so that it can undo the change: see `undoBody`. Requests with the same id are one change. */
export const changeId = optional(uuid);

export const errorGroupChanges = z.object({ assignee_id: clearable(id), change_id: changeId });

const wholeNumber = (most: number) =>
  z.int(mustBe("a whole number")).min(1, "must be at least 1").max(most, `must be at most ${most}`);

/**
 * The conditions that end a snooze; the first one that is met counts. A time, a number of events or of affected users since the
 * snooze, or an event of the release or a newer one.
 */
const snooze = z
  .object(
    {
      at: optional(future),
      occurrences: optional(wholeNumber(1_000_000_000)),
      users: optional(wholeNumber(10_000)),
      release: optional(line(255)),
    },
    mustBe("an object"),
  )
  .refine(
    (until) => Object.values(until).some((value) => value !== undefined),
    "must have at least one of at, occurrences, users and release",
  );

export type Snooze = z.output<typeof snooze>;

export const until = optional(snooze);

/** Without `until`, the group is ignored for good. */
export const ignoreBody = z.object({ until, change_id: changeId });

export const reopenBody = z.object({ change_id: changeId });

export const snoozeAnswer = z.strictObject({
  at: z.string().optional(),
  occurrences: z.int().optional(),
  users: z.int().optional(),
  release: z.string().optional(),
});

/** The events and users since the snooze; null for a condition that it does not have. */
export const snoozeProgressAnswer = z.strictObject({
  occurrences: z.int().nonnegative().nullable(),
  users: z.int().nonnegative().nullable(),
});

/** Ids of error groups in any projects. */
export const errorGroupIds = z
  .array(z.int(mustBe("an integer")), mustBe("an array"))
  .min(1, "must have at least one id")
  .max(500, "must have at most 500 ids")
  .refine((ids) => new Set(ids).size === ids.length, "must have each id at most once");

export const bulkAssignBody = z.object({
  error_group_ids: errorGroupIds,
  assignee_id: z.union([z.null(), id], {
    error: ({ input }) => (input === undefined ? "is required" : "must be an id or null"),
  }),
  change_id: changeId,
});

/** The `change_id` of the requests to undo. */
export const undoBody = z.object({ change_id: uuid });

export const UNDO_REFUSALS = ["regressed", "snooze_ended", "changed", "not_permitted"] as const;

export type UndoRefusal = (typeof UNDO_REFUSALS)[number];

/** Fields of the issue that are not given are filled from the error and the template. */
export const promoteGroupBody = issueBody.extend({
  title: optional(line(255)),
  /** Reports to promote to the same issue, such as those that came with the error. Requires `reports:update`. */
  report_ids: optional(distinctIds),
  /** An issue template of the project, to fill the issue from. Requires `issues:read`. */
  template_id: optional(id),
});

export const linkBody = z.object({ issue: issueName, change_id: changeId });

export const unlinkQuery = z.object({
  /** Also deletes the issue. Promoting the error must have created it, and nothing may have happened to it since. */
  delete_issue: booleanFilter,
  change_id: changeId,
});

const ERROR_GROUP_ACTIVITY_KINDS = [
  "first_seen",
  "first_in_release",
  "resolved",
  "reopened",
  "regressed",
  "ignored",
  "snoozed",
  "assigned",
  "linked",
  "unlinked",
  "merged",
  "split",
  "verified",
] as const;

export type ErrorGroupActivityKind = (typeof ERROR_GROUP_ACTIVITY_KINDS)[number];

/**
 * `from` and `to` by kind; null if there is none:
 * - `first_seen`, `first_in_release`: `to` is a release;
 * - `resolved`: `to` is a release, or like `resolved_in` if it was resolved in the next or a named release; `from` is
 *   `{monitor: slug}` if its monitor resolved it;
 * - `regressed`: `to` is a release, `from` the release that the group was resolved in;
 * - `linked`, `unlinked`: `to` or `from` is an issue's id;
 * - `snoozed`: `to` is the condition; `reopened`: `from` is the condition that was met;
 * - `assigned`: both are users;
 * - `merged`: `from` is `{error_group_id, exception_class}`; `split`: `from` is `{fingerprint, exception_class}`.
 */
export const errorGroupActivityAnswer = z.strictObject({
  id,
  /** Null if an event or the passage of time caused it, or if the user was deleted. */
  actor_id: id.nullable(),
  kind: z.enum(ERROR_GROUP_ACTIVITY_KINDS),
  from: z.unknown(),
  to: z.unknown(),
  created_at: moment,
});

export type ErrorGroupActivity = z.infer<typeof errorGroupActivityAnswer>;

const CHANGE_ID = "0199f3a2-7c4e-7d1b-9a56-2f8c41b07e93";

/** Examples for the API reference. */
export const errorGroupWorkExamples = {
  ErrorGroupActivity: {
    schema: errorGroupActivityAnswer,
    example: { id: 940, actor_id: null, kind: "regressed", from: "4.2.0", to: "4.2.1", created_at: AT },
  },
  PromoteErrorGroupBody: {
    schema: promoteGroupBody,
    example: { report_ids: [41, 43], template_id: 3, assignee_id: 3 },
  },
  ErrorGroupLinkBody: { schema: linkBody, example: { issue: "WEB-12" } },
  ErrorGroupChanges: { schema: errorGroupChanges, example: { assignee_id: 3 } },
  IgnoreBody: { schema: ignoreBody, example: { until: { occurrences: 100, release: "4.3.0" } } },
  ReopenBody: { schema: reopenBody, example: { change_id: CHANGE_ID } },
  UndoErrorGroupsBody: { schema: undoBody, example: { change_id: CHANGE_ID } },
  BulkAssignBody: { schema: bulkAssignBody, example: { error_group_ids: [77, 78], assignee_id: 3 } },
};
