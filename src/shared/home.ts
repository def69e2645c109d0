import { z } from "zod";
import { count, moment, momentWithOffset, pictureAnswer } from "./answers.ts";
import { LISTED_DAYS } from "./error-groups.ts";
import { AT, FIRST, LATER } from "./example-values.ts";
import { BUG, FEATURE } from "./issues.ts";
import { LANE_KINDS } from "./lanes.ts";
import { MAX_NEW_ERRORS } from "./new-errors.ts";
import { id, timestamp } from "./text.ts";

/**
 * The most projects with numbers on the home page. Counting takes longer the more pending items there are, so an administrator of
 * a thousand projects gets the numbers of only some.
 */
export const MAX_NUMBERED_PROJECTS = 100;

/** A project's pending items. Null for kinds that the caller may not read. */
const pendingItems = z.strictObject({
  waiting_reports: count.nullable(),
  open_errors: count.nullable(),
  /** The open error groups that have regressed. */
  regressed_errors: count.nullable(),
  /** The error groups first seen today (UTC); at most 1,000 are counted. */
  new_errors: count.max(MAX_NEW_ERRORS).nullable(),
});

/** What the sidebar shows of a project. */
export const countsAnswer = pendingItems.extend({
  /** Null without permission to read errors. */
  monitors: count.nullable(),
});

export type Counts = z.infer<typeof countsAnswer>;

const projectNumbers = pendingItems.extend({
  project_id: id,
  /** The waiting reports that arrived since the last visit. */
  new_reports: count.nullable(),
  open_issues: count.nullable(),
  /** The issues created since the last visit. */
  new_issues: count.nullable(),
  /** Accepted events per UTC day, oldest first, today last. Those of the last second may be missing. */
  daily_counts: z.array(count).length(LISTED_DAYS).nullable(),
});

const listedIssue = z.strictObject({
  id,
  project_id: id,
  key: z.string(),
  title: z.string(),
  type: z.literal([FEATURE, BUG]),
  lane_name: z.string(),
  lane_kind: z.enum(LANE_KINDS),
});

const changedIssue = listedIssue.extend({
  /** When it last changed. */
  at: moment,
  /** The changed fields as in the issue's activity, in alphabetical order. */
  changed: z.array(z.string()),
  new_comments: count,
  /** Who made the last change; null if the user was deleted. */
  actor: z
    .strictObject({ id, first_name: z.string(), last_name: z.string(), profile_picture: pictureAnswer })
    .nullable(),
});

export const homeAnswer = z.strictObject({
  /** Changes after this time are listed: the end of the last visit, or seven days ago if there was none. */
  since: moment,
  is_first_visit: z.boolean(),
  /** The time of this response. Send it as `seen_at` when the person leaves the page. */
  read_at: moment,
  /** The newest 20 changes by others to issues that the caller watches or is assigned to. */
  changes: z.array(changedIssue),
  /** Up to 20 issues in progress that are assigned to the caller, most recently changed first. */
  work: z.array(listedIssue.extend({ priority: z.int().min(0).max(4), updated_at: moment })),
  /** The 5 most recently regressed error groups. */
  regressions: z.array(
    z.strictObject({
      id,
      project_id: id,
      exception_class: z.string(),
      latest_message: z.string(),
      last_release: z.string().nullable(),
      reopen_count: count,
      regressed_at: momentWithOffset,
    }),
  ),
  /** The 5 reports that have waited longest. */
  waiting: z.array(z.strictObject({ id, project_id: id, title: z.string(), created_at: moment })),
  /** At most 100 projects: those that the caller is a member of, then others by name. */
  projects: z.array(projectNumbers),
  /** Whether each of these exists in the caller's projects. Null for what they may not read or, for invitations, not send. */
  first_steps: z.strictObject({
    has_error: z.boolean().nullable(),
    has_report: z.boolean().nullable(),
    has_issue: z.boolean().nullable(),
    /** Whether a workspace that the caller administers has another member or a pending invitation. */
    has_invited: z.boolean().nullable(),
  }),
});

export type Home = z.infer<typeof homeAnswer>;

export const homeVisitBody = z.object({ seen_at: timestamp });

const issue = {
  id: 312,
  project_id: 5,
  key: "WEB-12",
  title: "Keep the coupon when a customer signs in",
  type: BUG,
  lane_name: "In progress",
  lane_kind: "doing" as const,
};
const counts = { waiting_reports: 4, open_errors: 12, regressed_errors: 1, new_errors: 3 };

/** Examples for the API reference. */
export const homeExamples = {
  Counts: { schema: countsAnswer, example: { ...counts, monitors: 3 } },
  Home: {
    schema: homeAnswer,
    example: {
      since: AT,
      is_first_visit: false,
      read_at: LATER,
      changes: [
        {
          ...issue,
          at: LATER,
          changed: ["lane_id"],
          new_comments: 2,
          actor: { id: 3, first_name: "Ada", last_name: "Moss", profile_picture: null },
        },
      ],
      work: [{ ...issue, priority: 1, updated_at: LATER }],
      regressions: [
        {
          id: 91,
          project_id: 5,
          exception_class: "TimeoutError",
          latest_message: "The payment provider did not answer.",
          last_release: "4.12.0",
          reopen_count: 1,
          regressed_at: FIRST,
        },
      ],
      waiting: [{ id: 32, project_id: 5, title: "The cart forgets its coupon", created_at: AT }],
      projects: [
        {
          project_id: 5,
          ...counts,
          new_reports: 1,
          open_issues: 31,
          new_issues: 2,
          daily_counts: [0, 0, 3, 8, 2, 0, 0, 1, 4, 9, 3, 0, 2, 5],
        },
      ],
      first_steps: { has_error: true, has_report: true, has_issue: true, has_invited: null },
    },
  },
  HomeVisitBody: { schema: homeVisitBody, example: { seen_at: LATER } },
};
