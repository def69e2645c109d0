import { z } from "zod";
import { count, day, moment } from "./answers.ts";
import { filterOf, peopleFilter } from "./filters.ts";
import { attachmentAnswer } from "./attachments.ts";
import { clearable, date, id, line, mustBe, optional, text } from "./text.ts";
import { AT, LATER } from "./example-values.ts";

const STATES = ["open", "done"] as const;

const title = line(255);
const description = text(65_535);
const state = z.enum(STATES, mustBe(`one of ${STATES.join(", ")}`));

export const epicBody = z.object({
  title,
  description: optional(description),
  state: optional(state),
  starts_on: optional(date),
  ends_on: optional(date),
  owner_id: optional(id),
});

export const epicChanges = z.object({
  title: optional(title),
  description: clearable(description),
  state: optional(state),
  starts_on: clearable(date),
  ends_on: clearable(date),
  owner_id: clearable(id),
});

/** `me` is the caller, `none` means without an owner. */
export const epicFilters = z.object({
  owner_id: peopleFilter,
  state: filterOf(`must be one of ${STATES.join(", ")}`, (value) => STATES.find((known) => known === value)),
});

export const epicAnswer = z.strictObject({
  id,
  project_id: id,
  title: z.string(),
  description: z.string().nullable(),
  state: z.enum(STATES),
  starts_on: day.nullable(),
  ends_on: day.nullable(),
  /** Who is responsible for it. */
  owner_id: id.nullable(),
  created_by: id.nullable(),
  /** Number of the epic's issues by the kind of their lane. */
  issue_counts: z.strictObject({ backlog: count, todo: count, doing: count, done: count }),
  /** Oldest first. Comments have their own. */
  attachments: z.array(attachmentAnswer),
  created_at: moment,
  updated_at: moment,
});

export type Epic = z.infer<typeof epicAnswer>;

/** Examples for the API reference. */
export const epicExamples = {
  Epic: {
    schema: epicAnswer,
    example: {
      id: 8,
      project_id: 5,
      title: "Checkout without an account",
      description: null,
      state: "open",
      starts_on: "2026-11-02",
      ends_on: null,
      owner_id: 4,
      created_by: 3,
      issue_counts: { backlog: 4, todo: 2, doing: 1, done: 9 },
      attachments: [],
      created_at: AT,
      updated_at: LATER,
    },
  },
  EpicBody: { schema: epicBody, example: { title: "Checkout without an account", starts_on: "2026-11-02" } },
  EpicChanges: { schema: epicChanges, example: { state: "done" } },
};
