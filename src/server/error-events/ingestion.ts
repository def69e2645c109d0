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
 * When the database refuses a batch for its content (a project deleted in the same moment, say), nothing of it was
 * stored, and each event is tried alone: only the one at fault fails.
 */
async function storeEach(pool: pg.Pool, retentionDays: number, arrivals: Arrival[]): Promise<Stored[]> {
  try {
    await storeEvents(pool, retentionDays, arrivals);
    return arrivals.map(() => undefined);
  } catch (error) {
    const { code = "" } = error as { code?: string };
    // SQLSTATE classes 22 and 23: data and integrity. Others, such as a lost connection, say nothing of one event.
    if (!/^2[23]/.test(code)) throw error;
    if (arrivals.length === 1) return [code === FOREIGN_KEY ? notFound("There is no such project.") : (error as Error)];
    const stored: Stored[] = [];
    for (const arrival of arrivals) stored.push(...(await storeEach(pool, retentionDays, [arrival])));
    return stored;
  }
}

const FOREIGN_KEY = "23503";
