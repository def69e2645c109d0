import { z } from "zod";
import { clearable, date, line, mustBe, optional, text } from "./text.ts";

/** The contract of sprints (platform.md). */

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

export type Sprint = {
  id: number;
  project_id: number;
  name: string;
  goal: string | null;
  starts_on: string | null;
  ends_on: string | null;
  state: (typeof STATES)[number];
  created_at: string;
  updated_at: string;
};
