import type pg from "pg";
import { Batcher } from "../../db/batcher.ts";
import { notFound, overloaded } from "../../answers/errors.ts";
import { storeEvents, type Arrival, type StoredGroup } from "./store-events.ts";

/** A batch is one statement: larger ones save little more and make everybody in them wait. */
const MOST_EVENTS = 200;
const MOST_BYTES = 8 * 1_048_576;

/** Events that may wait for a commit before senders are told to come back. */
const MOST_WAITING = 5_000;

type Options = {
  pool: pg.Pool;
  retentionDays: number;
  /** Hears of the groups of each committed batch. Must not throw. */
  onStored: (groups: StoredGroup[]) => void;
  /** Hears how many events each statement took in or failed with, and how long that took. Must not throw. */
  onBatch?: (events: number, seconds: number) => void;
};

/** undefined, or why the event could not be stored. */
type Outcome = Error | undefined;

/**
 * Takes events into the database: those that arrive while a commit is under way share the next one, and each
 * answer waits for its own commit (decisions.md 5: a 202 means committed).
 */
export class Ingestion {
  readonly #options: Options;
  readonly #batcher: Batcher<Arrival, Outcome>;

  constructor(options: Options) {
    this.#options = options;
    this.#batcher = new Batcher((arrivals) => this.#store(arrivals), {
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

  /**
   * A batch fails as a whole, and nothing of it was stored. When that was for one project (it is being deleted, and
   * holds its rows) or one event, the others must not fail with it: projects are tried apart, then events alone.
   */
  async #store(arrivals: Arrival[]): Promise<Outcome[]> {
    const { pool, retentionDays, onStored, onBatch } = this.#options;
    const start = performance.now();
    try {
      onStored(
        await storeEvents(pool, retentionDays, arrivals).finally(() => {
          onBatch?.(arrivals.length, (performance.now() - start) / 1000);
        }),
      );
      return arrivals.map(() => undefined);
    } catch (error) {
      const { code = "" } = error as { code?: string };
      const isContent = /^2[23]/.test(code); // SQLSTATE classes of data and integrity
      if (!isContent && code !== LOCK_TIMEOUT) throw error;
      const byProject = [...Map.groupBy(arrivals, (arrival) => arrival.projectId).values()];
      if (byProject.length > 1) return this.#storeParts(arrivals, byProject);
      if (isContent && arrivals.length > 1)
        return this.#storeParts(
          arrivals,
          arrivals.map((arrival) => [arrival]),
        );
      const failure = code === FOREIGN_KEY ? notFound("There is no such project.") : (error as Error);
      return arrivals.map(() => failure);
    }
  }

  async #storeParts(arrivals: Arrival[], parts: Arrival[][]): Promise<Outcome[]> {
    const outcomes = new Map<Arrival, Outcome>();
    for (const part of parts) {
      // What is committed is answered so, whatever becomes of the parts after it.
      const results = await this.#store(part).catch((error: Error) => part.map(() => error));
      part.forEach((arrival, index) => outcomes.set(arrival, results[index]));
    }
    return arrivals.map((arrival) => outcomes.get(arrival));
  }
}

const FOREIGN_KEY = "23503";
const LOCK_TIMEOUT = "55P03";
