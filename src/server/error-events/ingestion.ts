import type pg from "pg";
import { Batcher } from "../batch.ts";
import { notFound, overloaded } from "../http/errors.ts";
import { storeEvents, type Arrival } from "./store.ts";

/** A batch is one statement: larger ones save little more and make everybody in them wait. */
const MOST_EVENTS = 200;
const MOST_BYTES = 8 * 1_048_576;

/** Events that may wait for a commit before senders are told to come back. */
const MOST_WAITING = 5_000;

/**
 * Takes events into the database: those that arrive while a commit is under way share the next one, and each
 * answer waits for its own commit (decisions.md 5: a 202 means committed).
 */
export class Ingestion {
  readonly #batcher: Batcher<Arrival, Stored>;

  constructor(pool: pg.Pool, retentionDays: number) {
    this.#batcher = new Batcher((arrivals) => storeEach(pool, retentionDays, arrivals), {
      atOnce: 1,
      maxItems: MOST_EVENTS,
      maxWeight: MOST_BYTES,
      weigh: (arrival) => arrival.size,
    });
  }

  /** Resolves once the event is committed. 404 when its project is gone, 503 when too many wait. */
  async add(arrival: Arrival): Promise<void> {
    if (this.#batcher.waiting >= MOST_WAITING) throw overloaded();
    const failure = await this.#batcher.add(arrival);
    if (failure !== undefined) throw failure;
  }
}

/** undefined, or why the event could not be stored. */
type Stored = Error | undefined;

/**
 * A batch fails as a whole, and nothing of it was stored. When that was for one project (it is being deleted, and holds
 * its rows) or one event, the others must not fail with it: projects are tried apart, then events alone.
 */
async function storeEach(pool: pg.Pool, retentionDays: number, arrivals: Arrival[]): Promise<Stored[]> {
  try {
    await storeEvents(pool, retentionDays, arrivals);
    return arrivals.map(() => undefined);
  } catch (error) {
    const { code = "" } = error as { code?: string };
    const isContent = /^2[23]/.test(code); // SQLSTATE classes of data and integrity
    if (!isContent && code !== LOCK_TIMEOUT) throw error;
    const ofProject = Map.groupBy(arrivals, (arrival) => arrival.projectId);
    const parts =
      ofProject.size > 1 ? [...ofProject.values()] : isContent ? arrivals.map((one) => [one]) : [];
    if (parts.length > 1) return storeParts(pool, retentionDays, arrivals, parts);
    const failure = code === FOREIGN_KEY ? notFound("There is no such project.") : (error as Error);
    return arrivals.map(() => failure);
  }
}

async function storeParts(pool: pg.Pool, retentionDays: number, arrivals: Arrival[], parts: Arrival[][]) {
  const stored = new Map<Arrival, Stored>();
  for (const part of parts) {
    const results = await storeEach(pool, retentionDays, part);
    part.forEach((arrival, index) => stored.set(arrival, results[index]));
  }
  return arrivals.map((arrival) => stored.get(arrival));
}

const FOREIGN_KEY = "23503";
const LOCK_TIMEOUT = "55P03";
