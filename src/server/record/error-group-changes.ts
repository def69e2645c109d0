import { EverySecond } from "../batching/every-second.ts";
import type { Db } from "../db/connect.ts";
import { announce } from "./live-changes.ts";

/** Bounds memory while the database is unavailable. */
const MAX_WAITING = 10_000;

export type ErrorGroupChangesOptions = {
  /** Monitors change with every check-in, so their changes are collected in the same way. */
  kind?: "error_group" | "monitor";
  everyMs?: number;
  onError?: (error: Error) => void;
};

/**
 * Announces changed error groups at most once per group and second, with one insert for all of them, because groups change with
 * every event, thousands of times a second. Not part of the transaction that stores the events: if a crash loses an
 * announcement, the group's next event causes another.
 */
export class ErrorGroupChanges {
  readonly #db: Db;
  readonly #kind: "error_group" | "monitor";
  readonly #onError: (error: Error) => void;
  #waiting = new Map<number, number>();
  readonly #timer: EverySecond;

  constructor(db: Db, { kind = "error_group", everyMs, onError = () => {} }: ErrorGroupChangesOptions = {}) {
    this.#db = db;
    this.#kind = kind;
    this.#timer = new EverySecond(() => this.#announce(), { everyMs });
    this.#onError = onError;
  }

  /** Call after the events have been committed. Does not wait for the database. */
  add(groups: { id: number; project_id: number }[]): void {
    for (const { id, project_id } of groups)
      if (this.#waiting.size < MAX_WAITING) this.#waiting.set(id, project_id);
    if (this.#waiting.size > 0) this.#timer.schedule();
  }

  /** Announces the waiting groups. */
  async close(): Promise<void> {
    await this.#timer.close();
  }

  async #announce() {
    const groups = this.#waiting;
    this.#waiting = new Map();
    try {
      await announce(
        this.#db,
        [...groups].map(([id, project_id]) => ({ kind: this.#kind, project_id, id })),
      );
    } catch (error) {
      this.#onError(error as Error);
    }
  }
}
