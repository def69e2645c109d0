import { createHash } from "node:crypto";
import type { Snooze } from "../../shared/error-group-work.ts";
import type { ProjectTemplate } from "./samples/projects.ts";
import { releaseTimes } from "./release-times.ts";
import { at, DAY, dayOf, MINUTE } from "./times.ts";
import type { Random } from "./samples/seeded-random.ts";
import type { Fate } from "./samples/story.ts";

/** Number of days for which a group keeps counts. */
const COUNTED_DAYS = 90;

/** Events of a release or a host. Times are milliseconds since 1970. */
export type Share = { name: string; count: number; first: number; last: number };

/** A group's history. Each event counts for one day, one release and one host. */
export type History = {
  first: number;
  last: number;
  /** Events per day, starting with the day of `last` and going back. */
  days: number[];
  total: number;
  /** In order of first appearance. */
  releases: Share[];
  hosts: Share[];
  /** SHA-256 hashes and when each was last seen. */
  users: { hash: Buffer; last: number }[];
  status: 0 | 1 | 2;
  resolvedAt: number | null;
  regressedAt: number | null;
  reopenCount: number;
  resolvedRelease: string | null;
  /** The release of the event that reopened it. */
  regressedRelease: string | null;
  ignoredAt: number | null;
  snoozedUntil: Partial<Snooze> | null;
};

/** Days since the first and the last event, and the events of an average day. */
type Shape = { age: number; ago: number; level: number };

const SHAPES: Record<Fate, Shape> = {
  frequent: { age: 46, ago: 0.004, level: 170 },
  fixed: { age: 61, ago: 19, level: 24 },
  regressed: { age: 66, ago: 0.06, level: 11 },
  snoozed: { age: 24, ago: 0.12, level: 4 },
  new: { age: 0.9, ago: 0.02, level: 30 },
};

/** Some groups are new and frequent, most are old and rare, and some no longer occur. A story decides by its fate. */
export function makeHistory(project: ProjectTemplate, now: number, random: Random, fate?: Fate): History {
  const { age, ago, level } = fate ? SHAPES[fate] : shapeOf(random);
  const last = now - Math.floor(ago * DAY);
  const earliest = Math.min(last, now - Math.floor(age * DAY));
  const days = countDays(earliest, last, level, random);
  const total = days.reduce((sum, count) => sum + count, 0);
  const first = total === 1 ? last : earliest;
  const releases =
    fate || random.chance(0.94) ? divideByRelease(project, { total, first, last, now, random }) : [];
  const hosts = divide(random.some(project.hosts, random.integer(1, project.hosts.length)), {
    total,
    first,
    last,
    random,
  });
  return {
    first,
    last,
    days,
    total,
    releases,
    hosts:
      fate || random.chance(0.9)
        ? hosts.map((host) => ({ ...host, last: Math.max(host.first, host.last) }))
        : [],
    users: fate || random.chance(0.75) ? makeUsers(total, { first, last, random, fate }) : [],
    ...makeStatus(releases, { first, last, now, random, fate }),
  };
}

function shapeOf(random: Random): Shape {
  const age = daysSinceFirst(random);
  const level = random.chance(0.12) ? random.integer(40, 400) : random.integer(0, 8);
  return { age, ago: daysSinceLast(random, age), level };
}

/** At most 83, so that counts are still kept for every day, and so that the oldest release is older. */
function daysSinceFirst(random: Random): number {
  if (random.chance(0.18)) return random.fraction() * 3;
  if (random.chance(0.4)) return 3 + random.fraction() * 25;
  return 28 + random.fraction() * 55;
}

function daysSinceLast(random: Random, age: number): number {
  if (random.chance(0.55)) return random.fraction() * Math.min(age, 0.9);
  return random.fraction() * Math.min(age, 40);
}

function countDays(first: number, last: number, level: number, random: Random): number[] {
  const span = dayOf(last) - dayOf(first);
  const isRising = random.chance(0.25);
  const days = Array.from({ length: COUNTED_DAYS }, (_, ago) => {
    if (ago > span) return 0;
    const trend = isRising ? Math.max(0, 1 - ago / 12) : 1;
    const weekday = new Date(last - ago * DAY).getUTCDay();
    const quiet = weekday === 0 || weekday === 6 ? 0.5 : 1;
    return random.chance(0.3) ? 0 : Math.round(level * trend * quiet * (0.4 + 1.2 * random.fraction()));
  });
  // The first and last day have at least one event.
  days[0] = Math.max(1, days[0] ?? 0);
  days[span] = Math.max(1, days[span] ?? 0);
  return days;
}

type Period = { total: number; first: number; last: number; now: number; random: Random };

/** Divides the total among the releases that were current between `first` and `last`; old ones linger for a few days. */
function divideByRelease(project: ProjectTemplate, { total, first, last, now, random }: Period): Share[] {
  const times = releaseTimes(project, now);
  const current = times.filter(
    ({ since }, index) => since <= last && (times[index + 1]?.since ?? Infinity) > first,
  );
  // The first one, and the latest of the others if there are fewer events than releases.
  const chosen = current.filter((_, index) => index === 0 || index > current.length - total);
  const names = chosen.map(({ name }) => name);
  const counts = divide(names, { total, first, last, random });
  return chosen.map(({ name, since }, index) => {
    const next = chosen[index + 1]?.since;
    return {
      name,
      count: counts[index]?.count ?? 0,
      first: Math.max(first, Math.min(last, since + random.integer(5, 400) * MINUTE)),
      last: next === undefined ? last : Math.min(last, next + 2 * DAY),
    };
  });
}

/** Divides the total among the names, at least one event each. Their periods follow one another and overlap a little. */
function divide(
  names: string[],
  { total, first, last, random }: { total: number; first: number; last: number; random: Random },
): Share[] {
  const chosen = names.slice(-total);
  const weights = chosen.map(() => 0.2 + random.fraction());
  const sum = weights.reduce((a, b) => a + b, 0);
  const counts = weights.map((weight) => 1 + Math.floor(((total - chosen.length) * weight) / sum));
  const rest = total - counts.reduce((a, b) => a + b, 0);
  const step = (last - first) / chosen.length;
  return chosen.map((name, index) => {
    const isLast = index === chosen.length - 1;
    return {
      name,
      count: (counts[index] ?? 0) + (isLast ? rest : 0),
      first: Math.floor(first + index * step),
      last: isLast ? last : Math.floor(first + Math.min(chosen.length, index + 1.2) * step),
    };
  });
}

function makeUsers(
  total: number,
  { first, last, random, fate }: { first: number; last: number; random: Random; fate?: Fate | undefined },
): History["users"] {
  const isWidespread = fate === "frequent" || random.chance(0.1);
  const count = Math.min(total, isWidespread ? random.integer(20, 60) : random.integer(fate ? 5 : 1, 12));
  return Array.from({ length: count }, (_, index) => ({
    hash: createHash("sha256").update(`${random.fraction()}`).digest(),
    last: index === 0 ? last : Math.floor(first + random.fraction() * (last - first)),
  }));
}

type Status = Pick<
  History,
  | "status"
  | "resolvedAt"
  | "regressedAt"
  | "reopenCount"
  | "resolvedRelease"
  | "regressedRelease"
  | "ignoredAt"
  | "snoozedUntil"
>;

const OPEN: Status = {
  status: 0,
  resolvedAt: null,
  regressedAt: null,
  reopenCount: 0,
  resolvedRelease: null,
  regressedRelease: null,
  ignoredAt: null,
  snoozedUntil: null,
};

type StatusContext = { first: number; last: number; now: number; random: Random; fate?: Fate | undefined };

/** Resolved groups have no later events. Regressed groups were resolved in one release and recurred in the next one. */
function makeStatus(releases: Share[], { first, last, now, random, fate }: StatusContext): Status {
  const before = releases.at(-2);
  const latest = releases.at(-1);
  if (fate === "snoozed") return ignored(first, now, { occurrences: 50 }, random);
  if (fate === undefined && random.chance(0.09))
    return ignored(first, now, random.chance(0.5) ? null : makeSnooze(now, random), random);
  const mayRegress = before !== undefined && latest !== undefined && latest.first - first > 2 * DAY;
  if (mayRegress && (fate === "regressed" || (fate === undefined && random.chance(0.16))))
    return {
      ...OPEN,
      resolvedAt: latest.first - DAY - Math.floor(random.fraction() * 0.5 * DAY),
      regressedAt: latest.first,
      reopenCount: fate ? 1 : random.integer(1, 3),
      resolvedRelease: before.name,
      regressedRelease: latest.name,
    };
  if (fate === "fixed" || (fate === undefined && now - last > DAY / 2 && random.chance(0.5)))
    return {
      ...OPEN,
      status: 1,
      resolvedAt: Math.min(now, last + Math.floor((fate ? 0.1 : random.fraction()) * (now - last))),
      resolvedRelease: latest?.name ?? null,
      reopenCount: fate === undefined && random.chance(0.2) ? 1 : 0,
    };
  return OPEN;
}

const ignored = (
  first: number,
  now: number,
  snoozedUntil: Partial<Snooze> | null,
  random: Random,
): Status => ({
  ...OPEN,
  status: 2,
  ignoredAt: now - Math.floor(random.fraction() * 0.4 * (now - first)),
  snoozedUntil,
});

const makeSnooze = (now: number, random: Random): Partial<Snooze> =>
  random.pick([
    { at: at(now + random.integer(1, 12) * DAY) },
    { occurrences: random.pick([100, 500, 1000]) },
    { users: random.pick([10, 50]) },
  ]);
