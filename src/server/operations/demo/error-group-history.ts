import { createHash } from "node:crypto";
import type { ProjectTemplate } from "./projects.ts";
import { DAY, dayOf } from "./times.ts";
import type { Random } from "./seeded-random.ts";

/** Number of days for which a group keeps counts. */
export const COUNTED_DAYS = 90;

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
};

/** Some groups are new and frequent, most are old and rare, and some no longer occur. */
export function makeHistory(project: ProjectTemplate, now: number, random: Random): History {
  const age = daysSinceFirst(random);
  const last = now - Math.floor(daysSinceLast(random, age) * DAY);
  const first = Math.min(last, now - Math.floor(age * DAY));
  const days = countDays(first, last, random);
  const total = days.reduce((sum, count) => sum + count, 0);
  const released = releasesBetween(project, first, last, now);
  const releases = random.chance(0.94) ? divide(released, total, first, last, random) : [];
  const hosts = divide(
    random.some(project.hosts, random.integer(1, project.hosts.length)),
    total,
    first,
    last,
    random,
  );
  return {
    first,
    last,
    days,
    total,
    releases,
    hosts: random.chance(0.9)
      ? hosts.map((host) => ({ ...host, last: Math.max(host.first, host.last) }))
      : [],
    users: random.chance(0.75) ? makeUsers(total, first, last, random) : [],
    ...makeStatus(releases, first, last, now, random),
  };
}

/** At most 88, so that counts are still kept for every day. */
function daysSinceFirst(random: Random): number {
  if (random.chance(0.18)) return random.fraction() * 3;
  if (random.chance(0.4)) return 3 + random.fraction() * 25;
  return 28 + random.fraction() * 60;
}

function daysSinceLast(random: Random, age: number): number {
  if (random.chance(0.55)) return random.fraction() * Math.min(age, 0.9);
  return random.fraction() * Math.min(age, 40);
}

function countDays(first: number, last: number, random: Random): number[] {
  const span = dayOf(last) - dayOf(first);
  const level = random.chance(0.12) ? random.integer(40, 400) : random.integer(0, 8);
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

/** Releases that were current between `first` and `last`, at most four. There is a release every two weeks. */
function releasesBetween({ releases }: ProjectTemplate, first: number, last: number, now: number): string[] {
  const out = releases.filter((_, index) => {
    const since = now - (releases.length - index) * 14 * DAY;
    const until = since + 14 * DAY;
    return since <= last && (until >= first || index === releases.length - 1);
  });
  return out.length === 0 ? releases.slice(0, 1) : out.slice(-4);
}

/** Divides the total among the names, at least one event each. Their periods follow one another and overlap a little. */
function divide(names: string[], total: number, first: number, last: number, random: Random): Share[] {
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

function makeUsers(total: number, first: number, last: number, random: Random): History["users"] {
  const count = Math.min(total, random.chance(0.1) ? random.integer(20, 60) : random.integer(1, 12));
  return Array.from({ length: count }, (_, index) => ({
    hash: createHash("sha256").update(`${random.fraction()}`).digest(),
    last: index === 0 ? last : Math.floor(first + random.fraction() * (last - first)),
  }));
}

type Status = Pick<History, "status" | "resolvedAt" | "regressedAt" | "reopenCount" | "resolvedRelease">;

/** Resolved groups have no later events. Regressed groups were resolved in one release and recurred in a later one. */
function makeStatus(releases: Share[], first: number, last: number, now: number, random: Random): Status {
  const open: Status = {
    status: 0,
    resolvedAt: null,
    regressedAt: null,
    reopenCount: 0,
    resolvedRelease: null,
  };
  const resolvedRelease = releases.at(-1)?.name ?? null;
  if (random.chance(0.09)) return { ...open, status: 2 };
  const before = releases.at(-2);
  const latest = releases.at(-1);
  if (before && latest && last - first > 2 * DAY && random.chance(0.16)) {
    const regressedAt = Math.min(last, latest.first + Math.floor((latest.last - latest.first) / 3));
    const resolvedAt = Math.max(first, regressedAt - DAY);
    return {
      ...open,
      resolvedAt,
      regressedAt,
      reopenCount: random.integer(1, 3),
      resolvedRelease: before.name,
    };
  }
  if (now - last > DAY / 2 && random.chance(0.5))
    return {
      ...open,
      status: 1,
      resolvedAt: Math.min(now, last + Math.floor(random.fraction() * (now - last))),
      resolvedRelease,
      reopenCount: random.chance(0.2) ? 1 : 0,
    };
  return open;
}
