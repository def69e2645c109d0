import { notFound } from "../../answers/errors.ts";
import type { Arrival } from "./event-batch.ts";
import { groupOf } from "./group-identity.ts";
import type { StalledGroups } from "./stalled-groups.ts";

/** The reason why an event could not be stored, or undefined if it was stored. */
export type Outcome = Error | undefined;

/**
 * How long one part waits for a lock. This is short if the part has several groups, or if its group was locked before.
 */
const LOCK_MS = 100;
const ALONE_LOCK_MS = 1_000;

/** After this time no part is divided any further. Its events return 503, and their senders retry. */
const TOTAL_MS = 3_000;

/**
 * Stores the events of a failed batch, so that only those fail that caused it: by project (one may be being deleted, so
 * that all its rows are locked), then in halves, then alone.
 *
 * An event to which a report refers is a part of its own, so that it is the newest of its group when it is marked as kept.
 *
 * All parts are tried before smaller ones, so that the events of other projects do not wait for the search in one.
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

/** True if the failure may be due to some of the batch's events only. */
export const mayBeDivided = ({ code = "" }: { code?: string }) => isDataError(code) || BLOCKED.has(code);

/** Two halves; undefined if there is nothing to divide. The events of a group share its locks, so they stay together. */
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
