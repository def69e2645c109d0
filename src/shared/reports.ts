import { filter, filterOf, idsFilter } from "./filters.ts";
import { z } from "zod";
import { count, moment } from "./answers.ts";
import { BUG, HIGH, issueBody, issueName } from "./issues.ts";
import {
  boolean,
  distinctIds,
  eventId,
  exceedsCodePoints,
  filledText,
  id,
  isBlank,
  line,
  mustBe,
  optional,
  text,
  unlessBlank,
} from "./text.ts";
import { originAnswer, REPORT_KINDS } from "./feedback.ts";
import { importedFromAnswer } from "./imported-from.ts";
import { AT, issueText, reportText } from "./example-values.ts";

/** Sources: a user, or another system with a project token. */
export const MANUAL = 0;
export const API = 1;

const MIB = 1_048_576;
/** Limits of the images sent together with a new report. */
export const REPORT_FILES = { most: 5, bytes: 3 * MIB } as const;

const DISMISS_REASONS = ["not-planned", "duplicate", "already-shipped", "invalid"] as const;
export type DismissReason = (typeof DISMISS_REASONS)[number];

const VIEWS = ["active", "promoted", "dismissed"] as const;
export type ReportView = (typeof VIEWS)[number];

/** `rank` is the order of the queue. */
export const REPORT_SORTS = ["rank", "voices", "created_at"] as const;
export type ReportSort = (typeof REPORT_SORTS)[number];

const MAX_QUERY_LENGTH = 255;
const MAX_LISTED = 500;

const shortFilter = filter.refine(
  (value) => value === undefined || !exceedsCodePoints(value, MAX_QUERY_LENGTH),
  {
    error: `must be at most ${MAX_QUERY_LENGTH} characters`,
  },
);

const choice = <T extends string>(choices: readonly T[]) =>
  filterOf(`must be one of ${choices.join(", ")}`, (value) =>
    choices.find((choice) => choice === value),
  ).meta({
    enum: choices,
  });

export const reportListQuery = z.object({
  view: z.enum(VIEWS, { error: `must be one of ${VIEWS.join(", ")}` }).optional(),
  ids: idsFilter,
  /** Each of its words starts a word of the title or description. */
  query: shortFilter,
  source: filterOf("must be 0 (a person of the team) or 1 (from outside)", (value) =>
    [MANUAL, API].find((source) => String(source) === value),
  ).meta({ type: "integer", enum: [MANUAL, API] }),
  kind: choice(REPORT_KINDS),
  author: shortFilter.meta({
    description: "A user's id, `me`, or a part of the author's name or address.",
  }),
  sort: choice(REPORT_SORTS).meta({ default: "rank" }),
  direction: choice(["asc", "desc"]).meta({
    description: "The default is asc for `rank`, otherwise desc. Equal reports are in queue order in both.",
  }),
  limit: filterOf(`must be a whole number from 1 to ${MAX_LISTED}`, (value) =>
    /^[0-9]{1,3}$/.test(value) && Number(value) >= 1 && Number(value) <= MAX_LISTED
      ? Number(value)
      : undefined,
  ).meta({
    type: "integer",
    minimum: 1,
    maximum: MAX_LISTED,
    description: "Without a limit, all are listed.",
  }),
  cursor: filter.meta({ description: "From the URL of the next page in the header `Link`." }),
});

export const reportBody = z.object({
  title: line(255),
  description: filledText(65_535),
  author_name: unlessBlank(line(255)),
  /** The app's id of the error event that the report is about. The event may arrive later. */
  error_event_id: unlessBlank(eventId),
});

/** What a report duplicates: another report or an issue of the project. */
const originalBody = z
  .object({ report_id: optional(id), issue_id: optional(id) }, mustBe("an object"))
  .refine(
    ({ report_id, issue_id }) => (report_id === undefined) !== (issue_id === undefined),
    "must have either report_id or issue_id",
  );

export const dismissBody = z
  .object({
    category: z.enum(DISMISS_REASONS, mustBe(`one of ${DISMISS_REASONS.join(", ")}`)),
    /** A blank note counts as not sent. */
    note: optional(text(10_000)).transform((note) => (isBlank(note) ? undefined : note)),
    duplicate_of: optional(originalBody),
  })
  .refine(({ category, duplicate_of }) => duplicate_of === undefined || category === "duplicate", {
    error: "requires the category duplicate",
    path: ["duplicate_of"],
  });

/** A neighbor that is omitted or null counts as not given. */
export const reorderBody = z.object({
  report_id: id,
  rank_before_id: optional(id),
  rank_after_id: optional(id),
});

/** The fields of the new issue, and the reports to promote. */
export const promoteBody = issueBody.extend({
  report_ids: distinctIds.min(1, "must have at least one id"),
  description: filledText(65_535),
  /** Errors that the issue is to fix as well. Requires `error-groups:update` and `issues:read`. */
  error_group_ids: optional(distinctIds),
});

const reportIds = distinctIds.min(1, "must have at least one id");

/** Promotes reports to an existing issue. */
export const linkReportsBody = z.object({ report_ids: reportIds, issue: issueName });

export const unpromoteBody = z.object({
  /** Also delete the issue. The promotion must have created it, and nothing may have happened to it since. */
  delete_issue: optional(boolean),
});

/** Null once the original is deleted. */
const original = z.strictObject({ report_id: id.nullable(), issue_id: id.nullable() }).nullable();

export type Original = NonNullable<z.infer<typeof original>>;

/** A dismissal that was undone by restoring the report. */
const earlierDismissal = z.strictObject({
  dismissed_at: moment,
  dismiss_reason: z.enum(DISMISS_REASONS).nullable(),
  dismiss_reason_note: z.string().nullable(),
  duplicate_of: original,
  restored_at: moment,
  restored_by: id.nullable(),
});

/** The response contains at most this many. */
export const MAX_EARLIER_DISMISSALS = 10;

export const reportAnswer = z.strictObject({
  id,
  title: z.string(),
  description: z.string(),
  source: z.literal([MANUAL, API]),
  author_name: z.string().nullable(),
  project_id: id,
  created_by: id.nullable(),
  promoted_issue_id: id.nullable(),
  promoted_at: moment.nullable(),
  dismissed_at: moment.nullable(),
  dismiss_reason: z.enum(DISMISS_REASONS).nullable(),
  dismiss_reason_note: z.string().nullable(),
  rank: z.string(),
  attachments_count: count,
  created_at: moment,
  updated_at: moment,
  duplicate_of: original,
  /** The latest first. */
  earlier_dismissals: z.array(earlierDismissal),
  /** The oldest attachment that is an image. */
  first_image_id: id.nullable(),
  /** The oldest attachment that is an image with a thumbnail, or of at most 200,000 bytes. */
  thumbnail_id: id.nullable(),
  /** Given with feedback. */
  author_email: z.string().nullable(),
  /** Whether the address is known to be the author's. */
  author_email_confirmed: z.boolean(),
  /** What the author calls it; null if they were not asked. */
  kind: z.enum(REPORT_KINDS).nullable(),
  /** Where a report from outside was written; null if that is unknown. */
  origin: originAnswer.nullable(),
  error_event_id: z.string().nullable(),
  /** The errors that the report is about. */
  error_group_ids: z.array(id),
  /** How many people have reported this, or wait for it: the authors, confirmed subscribers and imported votes of its issue, duplicates and originals. */
  voices: z.int().positive(),
  /** The reports that were dismissed as duplicates of this one, or of one of these. */
  duplicate_report_ids: z.array(id),
  imported_from: importedFromAnswer.nullable(),
});

export type Report = z.infer<typeof reportAnswer>;

/** Examples for the API reference. */
export const reportExamples = {
  Report: {
    schema: reportAnswer,
    example: {
      id: 41,
      ...reportText,
      source: API,
      project_id: 5,
      created_by: null,
      promoted_issue_id: null,
      promoted_at: null,
      dismissed_at: null,
      dismiss_reason: null,
      dismiss_reason_note: null,
      rank: "a1V",
      attachments_count: 1,
      created_at: AT,
      updated_at: AT,
      duplicate_of: null,
      earlier_dismissals: [],
      first_image_id: 18,
      thumbnail_id: 18,
      author_email: "ada@example.com",
      author_email_confirmed: false,
      kind: "bug",
      origin: {
        page: "https://shop.example.com/cart",
        browser: "Firefox 146.0",
        viewport: "1280x720",
        language: "en-US",
        release: "4.12.1",
        environment: "production",
        tags: { plan: "pro" },
      },
      error_event_id: "dc75a869e5c84f488963e5796ce9176d",
      error_group_ids: [311],
      voices: 3,
      duplicate_report_ids: [44, 47],
      imported_from: null,
    },
  },
  ReportBody: { schema: reportBody, example: reportText },
  PromoteBody: {
    schema: promoteBody,
    example: { ...issueText, type: BUG, priority: HIGH, label_ids: [14], report_ids: [41, 43], lane_id: 22 },
  },
  DismissBody: {
    schema: dismissBody,
    example: {
      category: "duplicate",
      note: "Same as last week's report about coupons.",
      duplicate_of: { report_id: 39 },
    },
  },
  LinkReportsBody: { schema: linkReportsBody, example: { report_ids: [41, 43], issue: "WEB-12" } },
  UnpromoteBody: { schema: unpromoteBody, example: { delete_issue: true } },
  ReorderBody: { schema: reorderBody, example: { report_id: 41, rank_before_id: 39, rank_after_id: 40 } },
};
