import { notFound } from "../../answers/errors.ts";
import type { Arrival } from "./event-batch.ts";
import { groupOf } from "./group-identity.ts";
import type { StalledGroups } from "./stalled-groups.ts";

/** The reason why an event could not be stored, or undefined if it was stored. */
export type Outcome = Error | undefined;

/** How long a part waits for a lock: only briefly if it has several groups, or if its group was locked before. */
const LOCK_MS = 100;
const ALONE_LOCK_MS = 1_000;

/** After this time, parts that fail are not divided further. Their events return 503, and senders retry. */
const TOTAL_MS = 3_000;

/**
 * Stores the events of a failed batch in smaller parts, so that only the events that cause the failure fail: first by
 * project (all rows of a project are locked while it is deleted), then in halves, down to single events.
 *
 * An event that a report refers to is stored separately, because it must be the newest event of its group when it is marked
 * as kept.
 *
 * Every part is tried once before any is divided, so that one failing project does not delay the events of the others.
 */
export async function storeApart(
  arrivals: Arrival[],
  stalled: StalledGroups,
  store: (part: Arrival[], lockMs: number) => Promise<void>,
): Promise<Outcome[]> {
  const start = performance.now();
  const outcomes = new Map<Arrival, Outcome>();
  const parts = [
    ...Map.groupBy(arrivals, (arrival) => (arrival.isAwaited ? arrival : arrival.projectId)).values(),
  ];
  for (const part of parts) {
    const isAlone = groupsOf(part).length === 1 && !part.some((arrival) => stalled.has(arrival));
    try {
      await store(part, isAlone ? ALONE_LOCK_MS : LOCK_MS);
      stalled.delete(part);
    } catch (error) {
      const { code = "" } = error as { code?: string };
      const halves = divide(part, code);
      if (halves && performance.now() < start + TOTAL_MS) parts.push(...halves);
      else {
        if (code === LOCK_TIMEOUT) stalled.add(part);
        const failure = code === FOREIGN_KEY ? notFound("There is no such project.") : (error as Error);
        for (const arrival of part) outcomes.set(arrival, failure);
      }
    }
  }
  return arrivals.map((arrival) => outcomes.get(arrival));
}

/** Whether only some of the batch's events may have caused the failure. */
export const mayBeDivided = ({ code = "" }: { code?: string }) => isDataError(code) || BLOCKED.has(code);

/** Undefined if there is nothing to divide. After a lock failure, the events of a group stay together: they share its lock. */
function divide(part: Arrival[], code: string): [Arrival[], Arrival[]] | undefined {
  const groups = groupsOf(part);
  const units = isDataError(code) ? groups.flat().map((arrival) => [arrival]) : groups;
  if (units.length === 1 || !mayBeDivided({ code })) return undefined;
  const middle = Math.ceil(units.length / 2);
  return [units.slice(0, middle).flat(), units.slice(middle).flat()];
}

const groupsOf = (part: Arrival[]) => [
  ...Map.groupBy(part, ({ projectId, event }) => groupOf(projectId, event)).values(),
];

const FOREIGN_KEY = "23503";
const LOCK_TIMEOUT = "55P03";

/** Lock timeout, deadlock and serialization failure. */
const BLOCKED = new Set([LOCK_TIMEOUT, "40P01", "40001"]);

/** SQLSTATE classes: data exceptions, integrity constraint violations. */
const isDataError = (code: string) => /^2[23]/.test(code);
