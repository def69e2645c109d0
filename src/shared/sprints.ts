import { z } from "zod";
import { count, day, moment } from "./answers.ts";
import { clearable, date, id, line, mustBe, optional, text } from "./text.ts";
import { AT } from "./example-values.ts";

const STATES = ["planned", "active", "closed"] as const;

const name = line(100);
const goal = text(65_535);
const state = z.enum(STATES, mustBe(`one of ${STATES.join(", ")}`));
const capacity = z
  .int(mustBe("an integer"))
  .min(0, "must be at least 0")
  .max(2_147_483_647, "must be at most 2147483647");

export const sprintBody = z.object({
  name,
  goal: optional(goal),
  starts_on: optional(date),
  ends_on: optional(date),
  capacity_issues: optional(capacity),
  capacity_minutes: optional(capacity),
  state: optional(state),
});

export const sprintChanges = z.object({
  name: optional(name),
  goal: clearable(goal),
  starts_on: clearable(date),
  ends_on: clearable(date),
  capacity_issues: clearable(capacity),
  capacity_minutes: clearable(capacity),
  state: optional(state),
});

export const sprintAnswer = z.strictObject({
  id,
  project_id: id,
  name: z.string(),
  goal: z.string().nullable(),
  starts_on: day.nullable(),
  ends_on: day.nullable(),
  /** How much is planned for the sprint at most, in issues and in minutes of their estimates. It rejects nothing. */
  capacity_issues: count.nullable(),
  capacity_minutes: count.nullable(),
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
      capacity_issues: null,
      capacity_minutes: 4_800,
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
