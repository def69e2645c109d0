import type pg from "pg";
import { Batcher } from "../../db/batcher.ts";
import { notFound, overloaded } from "../../answers/errors.ts";
import type { Arrival } from "./event-batch.ts";
import { storeEvents, type StoredGroup } from "./store-events.ts";

/** A batch is one SQL statement. Larger batches save little, and every event in them waits longer. */
const MAX_EVENTS = 200;
const MAX_BYTES = 8 * 1_048_576;

/** Events that may wait for a commit. Further requests get 503. */
const MAX_WAITING = 5_000;

type Options = {
  pool: pg.Pool;
  retentionDays: number;
  /** Called with the groups of each committed batch. Must not throw. */
  onStored: (groups: StoredGroup[]) => void;
  /** Called with the number of events and the duration of each statement, whether it succeeded or failed. Must not throw. */
  onBatch?: (events: number, seconds: number) => void;
};

/** The reason why the event could not be stored, or undefined if it was stored. */
type Outcome = Error | undefined;

/**
 * Stores events in batches: events that arrive while a commit is in flight share the next one. `add` resolves only after
 * its event is committed, because a 202 means that the event is stored.
 */
export class Ingestion {
  readonly #options: Options;
  readonly #batcher: Batcher<Arrival, Outcome>;

  constructor(options: Options) {
    this.#options = options;
    this.#batcher = new Batcher((arrivals) => this.#store(arrivals), {
      atOnce: 1,
      maxItems: MAX_EVENTS,
      maxWeight: MAX_BYTES,
      weigh: (arrival) => arrival.size,
    });
  }

  /** Resolves once the event is committed. 404 if its project has been deleted, 503 if 5,000 events are waiting already. */
  async add(arrival: Arrival): Promise<void> {
    if (this.#batcher.waiting >= MAX_WAITING) throw overloaded();
    const failure = await this.#batcher.add(arrival);
    if (failure !== undefined) throw failure;
  }

  /**
   * A batch fails as a whole. If one project caused the failure (it is being deleted, so its rows are locked), or one
   * event, the others must not fail: the batch is retried per project, and then per event.
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
      const isDataError = /^2[23]/.test(code); // SQLSTATE classes: data exceptions, integrity constraint violations
      if (!isDataError && code !== LOCK_TIMEOUT) throw error;
      const byProject = [...Map.groupBy(arrivals, (arrival) => arrival.projectId).values()];
      if (byProject.length > 1) return this.#storeParts(arrivals, byProject);
      if (isDataError && arrivals.length > 1)
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
      // Earlier parts are committed and must succeed even if this one fails.
      const results = await this.#store(part).catch((error: Error) => part.map(() => error));
      part.forEach((arrival, index) => outcomes.set(arrival, results[index]));
    }
    return arrivals.map((arrival) => outcomes.get(arrival));
  }
}

const FOREIGN_KEY = "23503";
const LOCK_TIMEOUT = "55P03";
