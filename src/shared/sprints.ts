import { z } from "zod";
import { day, moment } from "./answers.ts";
import { clearable, date, id, line, mustBe, optional, text } from "./text.ts";
import { AT } from "./example-values.ts";

const STATES = ["planned", "active", "closed"] as const;

const name = line(100);
const goal = text(65_535);
const state = z.enum(STATES, mustBe(`one of ${STATES.join(", ")}`));

export const sprintBody = z.object({
  name,
  goal: optional(goal),
  starts_on: optional(date),
  ends_on: optional(date),
  state: optional(state),
});

export const sprintChanges = z.object({
  name: optional(name),
  goal: clearable(goal),
  starts_on: clearable(date),
  ends_on: clearable(date),
  state: optional(state),
});

export const sprintAnswer = z.strictObject({
  id,
  project_id: id,
  name: z.string(),
  goal: z.string().nullable(),
  starts_on: day.nullable(),
  ends_on: day.nullable(),
  state: z.enum(STATES),
  created_at: moment,
  updated_at: moment,
});

export type Sprint = z.infer<typeof sprintAnswer>;

/** Examples for the API reference. */
export const sprintExamples = {
  Sprint: {
    schema: sprintAnswer,
    example: {
      id: 31,
      project_id: 5,
      name: "Week 47",
      goal: "Coupons hold",
      starts_on: "2026-11-16",
      ends_on: "2026-11-20",
      state: "active",
      created_at: AT,
      updated_at: AT,
    },
  },
  SprintBody: {
    schema: sprintBody,
    example: { name: "Week 47", goal: "Coupons hold", starts_on: "2026-11-16", ends_on: "2026-11-20" },
  },
  SprintChanges: { schema: sprintChanges, example: { state: "closed" } },
};
