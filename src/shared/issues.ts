import { z } from "zod";
import { count, day, moment } from "./answers.ts";
import { attachmentAnswer, attachmentExamples } from "./attachments.ts";
import {
  asId,
  booleanFilter,
  filter,
  filterOf,
  idFilter,
  idsFilter,
  idsOrNoneFilter,
  peopleFilter,
  valuesFilterOf,
} from "./filters.ts";
import { LANE_KINDS } from "./lanes.ts";
import { gitLinkAnswer, gitLinkExample } from "./git.ts";
import { importedFromAnswer, importedFromExample } from "./imported-from.ts";
import { clearable, date, exceedsCodePoints, id, line, mustBe, optional, text } from "./text.ts";
import { AT, issueText, LATER } from "./example-values.ts";

export const FEATURE = 0;
export const BUG = 1;
const HIGHEST = 0;
export const HIGH = 1;
export const MEDIUM = 2;
const LOWEST = 4;

/** Limit for the labels of an issue, the issues that block it, and the issues that it blocks. */
const MAX_IDS = 500;
const MAX_QUERY_LENGTH = 255;

const title = line(255);
export const MAX_DESCRIPTION = 65_535;
const description = text(MAX_DESCRIPTION);
const type = z.literal([FEATURE, BUG], { error: mustBe("0 (feature) or 1 (bug)").error });
const priority = z
  .int(mustBe("an integer"))
  .min(HIGHEST, "must be from 0 (highest) to 4 (lowest)")
  .max(LOWEST, "must be from 0 (highest) to 4 (lowest)");
const minutes = z
  .int(mustBe("an integer"))
  .min(0, "must be at least 0")
  .max(2_147_483_647, "must be at most 2147483647");
const ids = z
  .array(id, mustBe("an array of ids"))
  .max(MAX_IDS, `must have at most ${MAX_IDS} ids`)
  .refine((list) => new Set(list).size === list.length, "must have each id at most once");

/** An issue by its id or key. */
export const issueName = z
  .union([id, line(30)], {
    error: ({ input }) => (input === undefined ? "is required" : "must be the id or key of an issue"),
  })
  .transform(String);

/** The fields of a new issue. Promoting reports takes these and a few more. */
export const issueBody = z.object({
  title,
  description: optional(description),
  type: optional(type),
  priority: optional(priority),
  lane_id: optional(id),
  assignee_id: optional(id),
  sprint_id: optional(id),
  epic_id: optional(id),
  estimated_minutes: optional(minutes),
  blocked_by_ids: optional(ids),
  blocks_ids: optional(ids),
  relates_to_ids: optional(ids),
  label_ids: optional(ids),
  due_on: optional(date),
  parent_id: optional(id),
  duplicate_of_id: optional(id),
});

/** `null` clears fields that can be empty. A list replaces the previous list. */
export const issueChanges = z.object({
  title: optional(title),
  description: clearable(description),
  type: optional(type),
  priority: optional(priority),
  lane_id: optional(id),
  assignee_id: clearable(id),
  sprint_id: clearable(id),
  epic_id: clearable(id),
  estimated_minutes: clearable(minutes),
  blocked_by_ids: clearable(ids),
  blocks_ids: clearable(ids),
  relates_to_ids: clearable(ids),
  label_ids: clearable(ids),
  due_on: clearable(date),
  parent_id: clearable(id),
  duplicate_of_id: clearable(id),
});

/** Used by drag and drop on the board. Issues are ranked within their lane, in the same way as reports in the queue. */
export const issueMove = z.object({
  lane_id: optional(id),
  rank_before_id: optional(id),
  rank_after_id: optional(id),
});

/** Plans issues for a sprint, or removes them from theirs. */
export const sprintAssignment = z.object({
  issue_ids: ids.min(1, "must have at least one id"),
  sprint_id: z.int(mustBe("an integer or null")).positive("must be a positive integer").nullable(),
});

const digits = (max: number) =>
  valuesFilterOf(`must be a whole number from 0 to ${max}`, (value) =>
    /^[0-9]$/.test(value) && Number(value) <= max ? Number(value) : undefined,
  );

export const ISSUE_SORTS = ["created_at", "updated_at", "priority", "rank", "due_on"] as const;
export type IssueSort = (typeof ISSUE_SORTS)[number];

/**
 * `me` is the caller, `none` means without assignee, sprint, epic, label or parent. `due_before` is the day after the last due
 * date. A leading `-` reverses the sort order; issues without a due date are last in both.
 */
export const issueFilters = z.object({
  ids: idsFilter,
  project_id: idFilter,
  assignee_id: peopleFilter,
  lane_id: valuesFilterOf("must be an id", asId),
  lane_kind: filter
    .pipe(z.enum(LANE_KINDS, { error: `must be one of ${LANE_KINDS.join(", ")}` }).optional())
    .meta({ enum: LANE_KINDS }),
  closed: booleanFilter.meta({ description: "true or false: whether the issue is in a done lane." }),
  type: digits(BUG),
  priority: digits(LOWEST),
  epic_id: idsOrNoneFilter,
  sprint_id: idsOrNoneFilter,
  label_id: idsOrNoneFilter,
  parent_id: idsOrNoneFilter,
  duplicate_of_id: idFilter,
  due_before: filterOf("must be a date such as 2026-11-20", (value) =>
    date.safeParse(value).success ? value : undefined,
  ),
  query: filter.refine((value) => value === undefined || !exceedsCodePoints(value, MAX_QUERY_LENGTH), {
    error: `must be at most ${MAX_QUERY_LENGTH} characters`,
  }),
  sort: filterOf(
    `must be one of ${ISSUE_SORTS.join(", ")}, optionally prefixed with a minus sign`,
    (value) => {
      const by = ISSUE_SORTS.find((sort) => sort === value.replace(/^-/, ""));
      return by && { by, descending: value.startsWith("-") };
    },
  ),
});

export type IssueFilters = z.output<typeof issueFilters>;

export const issueAnswer = z.strictObject({
  id,
  key: z.string(),
  project_id: id,
  title: z.string(),
  description: z.string().nullable(),
  type: z.literal([FEATURE, BUG]),
  priority: z.int().min(HIGHEST).max(LOWEST),
  lane_id: id,
  rank: z.string(),
  assignee_id: id.nullable(),
  created_by: id.nullable(),
  sprint_id: id.nullable(),
  epic_id: id.nullable(),
  estimated_minutes: count.nullable(),
  label_ids: z.array(id),
  blocked_by_ids: z.array(id),
  blocks_ids: z.array(id),
  relates_to_ids: z.array(id),
  due_on: day.nullable(),
  /** The issue that this one is a sub-issue of. */
  parent_id: id.nullable(),
  duplicate_of_id: id.nullable(),
  /** Number of direct sub-issues, and of those in a lane of kind `done`. */
  sub_issue_counts: z.strictObject({ total: count, done: count }),
  report_ids: z.array(id),
  /** How many people want it: the authors and confirmed subscribers of its reports and of their duplicates. */
  voices: count,
  /** The reports that were dismissed as duplicates of the issue. */
  duplicate_report_ids: z.array(id),
  /** The first of `error_group_ids`. */
  error_group_id: id.nullable(),
  error_group_ids: z.array(id),
  /** The commits and requests that name the issue, oldest first. */
  git_links: z.array(gitLinkAnswer),
  comments_count: count,
  /** The tasks `- [ ]` in the description; null if there are none. */
  tasks: z.strictObject({ done: count, total: count }).nullable(),
  /** Oldest first. Comments have their own. */
  attachments: z.array(attachmentAnswer),
  /** Whether the caller watches the issue. */
  watching: z.boolean(),
  created_at: moment,
  updated_at: moment,
  /** When the issue entered a lane of kind `done`. */
  closed_at: moment.nullable(),
  imported_from: importedFromAnswer.nullable(),
});

/** The issues in the order of their ids, including those that were in the sprint already. */
export const sprintAssignmentAnswer = z.strictObject({ data: z.array(issueAnswer) });

export type Issue = z.infer<typeof issueAnswer>;

/** `kind` is the changed field, or `created`. For a description, `from` and `to` are null: its text is not recorded. */
export const issueActivityAnswer = z.strictObject({
  id,
  actor_id: id.nullable(),
  kind: z.string(),
  from: z.unknown(),
  to: z.unknown(),
  created_at: moment,
});

export type IssueActivity = z.infer<typeof issueActivityAnswer>;

/** Examples for the API reference. */
export const issueExamples = {
  Issue: {
    schema: issueAnswer,
    example: {
      id: 312,
      key: "WEB-12",
      project_id: 5,
      ...issueText,
      type: BUG,
      priority: HIGH,
      lane_id: 22,
      rank: "a0",
      assignee_id: 3,
      created_by: 4,
      sprint_id: null,
      epic_id: 8,
      estimated_minutes: 90,
      label_ids: [14],
      blocked_by_ids: [],
      blocks_ids: [],
      relates_to_ids: [315],
      due_on: "2026-11-27",
      parent_id: null,
      duplicate_of_id: null,
      sub_issue_counts: { total: 3, done: 1 },
      report_ids: [41],
      voices: 3,
      duplicate_report_ids: [44],
      error_group_id: 77,
      error_group_ids: [77],
      git_links: [gitLinkExample],
      comments_count: 2,
      tasks: { done: 1, total: 3 },
      attachments: [attachmentExamples.Attachment.example],
      watching: true,
      created_at: AT,
      updated_at: LATER,
      closed_at: null,
      imported_from: importedFromExample,
    },
  },
  IssueActivity: {
    schema: issueActivityAnswer,
    example: { id: 940, actor_id: 4, kind: "priority", from: 2, to: 1, created_at: LATER },
  },
  IssueBody: { schema: issueBody, example: { ...issueText, type: BUG, priority: HIGH, label_ids: [14] } },
  IssueChanges: { schema: issueChanges, example: { assignee_id: 3, sprint_id: null } },
  SprintAssignment: { schema: sprintAssignment, example: { issue_ids: [312, 313], sprint_id: 31 } },
  IssueMove: { schema: issueMove, example: { lane_id: 23, rank_before_id: 310 } },
};
