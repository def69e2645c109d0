import { z } from "zod";
import type { LaneKind } from "./lanes.ts";
import { clearable, date, line, mustBe, optional, text } from "./text.ts";

/** The contract of epics (platform.md). */

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
});

export const epicChanges = z.object({
  title: optional(title),
  description: clearable(description),
  state: optional(state),
  starts_on: clearable(date),
  ends_on: clearable(date),
});

export type Epic = {
  id: number;
  project_id: number;
  title: string;
  description: string | null;
  state: (typeof STATES)[number];
  starts_on: string | null;
  ends_on: string | null;
  created_by: number | null;
  /** Its issues by the kind of the lane they stand in. */
  issue_counts: Record<LaneKind, number>;
  created_at: string;
  updated_at: string;
};
