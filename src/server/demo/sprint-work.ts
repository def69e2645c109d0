import type { Random } from "./samples/seeded-random.ts";
import { DAY, HOUR } from "./times.ts";
import type { DemoSprint, ProjectSetup } from "./workspace.ts";

/** A regression that reopened an issue. */
export type Reopened = { at: number; release: string | null; groupId: number };

/** The arrival of an issue in a lane. */
export type Stop = { lane: ProjectSetup["lanes"][number]; at: number; reopened?: Reopened };

/** The course of an issue: when it was created and moved, in which sprint, and how long it was expected to take. */
export type Work = {
  createdAt: number;
  stops: Stop[];
  sprintId: number | null;
  estimatedMinutes: number | null;
};

/** Issues in each sprint of a project with a hundred issues, the closed sprints first, then the active and planned one. */
const SIZES = [11, 14, 13, 15, 10];
/** The share of a sprint that is closed. */
const DONE = { closed: 1, active: 0.35, planned: 0 };
/** Issues closed before the first sprint. */
const EARLIER = 6;
/** Dealt in this order, so that the sums of sprints differ little more than their counts. */
const ESTIMATES = [120, 240, 60, 480, 240, 120, 960, 60, 240, 480];

/**
 * The course of `count` issues that fill the sprints up to their sizes, besides the issues that `others` counts in a
 * sprint. What is left stays in the backlog.
 */
export function planWork(
  setup: ProjectSetup,
  { count, total, others }: { count: number; total: number; others: (sprintId: number) => number },
  now: number,
  random: Random,
): Work[] {
  const part = (of: number) => Math.round((of * total) / 100);
  const works = setup.sprints.flatMap((sprint, index) => {
    const whole = part(SIZES[index] ?? 0);
    const size = Math.max(0, whole - others(sprint.id));
    const done = Math.min(size, Math.round(whole * DONE[sprint.state]));
    const dealt = random.integer(0, ESTIMATES.length - 1);
    return Array.from({ length: size }, (_, nth) => ({
      ...inSprint(setup, sprint, { nth, size, done, now, random }),
      estimatedMinutes: ESTIMATES[(dealt + nth) % ESTIMATES.length] as number,
    }));
  });
  const earlier = Array.from({ length: part(EARLIER) }, () => {
    const closedAt = (setup.sprints[0]?.starts ?? now) - random.integer(2, 20) * DAY;
    return work(setup, closedAt - random.integer(4, 15) * DAY, closedAt, random);
  });
  const planned = random.shuffled([...works, ...earlier]).slice(0, count);
  const backlog = Array.from({ length: count - planned.length }, () => inBacklog(setup, now, random));
  return random.shuffled([...planned, ...backlog]);
}

function inSprint(
  setup: ProjectSetup,
  sprint: DemoSprint,
  { nth, size, done, now, random }: { nth: number; size: number; done: number; now: number; random: Random },
): Omit<Work, "estimatedMinutes"> {
  const share = (nth + 1) / size;
  const planning = sprint.starts - HOUR;
  // Most were planned; some were added while the sprint ran.
  const isAdded = sprint.state !== "planned" && share > 0.85;
  const createdAt = isAdded
    ? sprint.starts + random.integer(1, 4) * DAY
    : Math.min(planning, now) - random.integer(2, 24) * DAY;
  if (nth < done) {
    const length = Math.min(sprint.ends, now) - sprint.starts;
    const ended = sprint.starts + (0.12 + 0.84 * ((nth + 1) / done) ** 0.9) * length;
    const closedAt = Math.max(createdAt + 6 * HOUR, onWorkday(ended) - random.integer(0, 5) * HOUR);
    return { ...work(setup, createdAt, Math.floor(closedAt), random), sprintId: sprint.id };
  }
  // In the active sprint: in review, in progress, and yet to do.
  const lanes = setup.lanes.filter(({ kind }) => kind !== "done");
  const reached = sprint.state === "planned" ? 2 : nth < done + 2 ? 4 : nth < done + 5 ? 3 : 2;
  const from = Math.min(Math.max(createdAt, planning), now - 2 * HOUR);
  const stops = lanes.slice(0, reached).map((lane, index) => ({
    lane,
    at: index === 0 ? createdAt : Math.floor(from + ((index - 1) * (now - HOUR - from)) / 3),
  }));
  return { createdAt, stops, sprintId: sprint.id };
}

/** Moves through all lanes until it was closed. Work begins shortly before that. */
function work({ lanes }: ProjectSetup, createdAt: number, closedAt: number, random: Random): Work {
  const begun = Math.max(createdAt, closedAt - random.integer(1, 4) * DAY);
  const stops = lanes.map((lane, index) => ({
    lane,
    at:
      index === 0
        ? createdAt
        : Math.floor(begun + ((index - 1) / Math.max(1, lanes.length - 2)) * (closedAt - begun)),
  }));
  return { createdAt, stops, sprintId: null, estimatedMinutes: random.pick(ESTIMATES) };
}

function inBacklog({ lanes }: ProjectSetup, now: number, random: Random): Work {
  const createdAt = now - Math.floor(random.fraction() ** 1.4 * 85 * DAY) - HOUR;
  return {
    createdAt,
    stops: lanes.slice(0, 1).map((lane) => ({ lane, at: createdAt })),
    sprintId: null,
    estimatedMinutes: random.chance(0.3) ? random.pick(ESTIMATES) : null,
  };
}

/** Moves the end of work on a weekend to the Friday before. */
function onWorkday(time: number): number {
  const day = new Date(time).getUTCDay();
  return time - (day === 6 ? DAY : day === 0 ? 2 * DAY : 0);
}
