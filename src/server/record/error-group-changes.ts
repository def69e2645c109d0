import type { Db } from "../db/connect.ts";
import { announce } from "./live-changes.ts";

const EVERY_MS = 1_000;

/** Groups that may wait for the next message; a database that is away must not make them pile up. */
const MOST_WAITING = 10_000;

export type ErrorGroupChangesOptions = { everyMs?: number; onError?: (error: Error) => void };

/**
 * Error groups change with each event, thousands of times a second. This makes it one message a group and second, by one
 * insert for all of them, apart from the transaction that stores the events: whoever watches live reads the counts when
 * told, and a message that a crash loses is made up for by the next event.
 */
export class ErrorGroupChanges {
  readonly #db: Db;
  readonly #everyMs: number;
  readonly #onError: (error: Error) => void;
  #waiting = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();
  #flushedAt = -Infinity;

  constructor(db: Db, { everyMs = EVERY_MS, onError = () => {} }: ErrorGroupChangesOptions = {}) {
    this.#db = db;
    this.#everyMs = everyMs;
    this.#onError = onError;
  }

  /** Of committed events. Costs nothing but memory. */
  add(groups: { id: number; project_id: number }[]): void {
    for (const { id, project_id } of groups)
      if (this.#waiting.size < MOST_WAITING) this.#waiting.set(id, project_id);
    if (this.#waiting.size > 0) this.#timer ??= setTimeout(() => this.#flush(), this.#pause()).unref();
  }

  /** Records what waits. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#flush();
    await this.#flushing;
  }

  #pause() {
    return Math.max(0, this.#flushedAt + this.#everyMs - performance.now());
  }

  #flush() {
    this.#timer = undefined;
    this.#flushedAt = performance.now();
    const waiting = this.#waiting;
    this.#waiting = new Map();
    this.#flushing = this.#flushing.then(() => this.#record(waiting));
  }

  async #record(groups: Map<number, number>) {
    try {
      await announce(
        this.#db,
        [...groups].map(([id, project_id]) => ({ kind: "error_group", project_id, id })),
      );
    } catch (error) {
      this.#onError(error as Error);
    }
  }
}
