import { sql } from "kysely";
import { EverySecond } from "../batching/every-second.ts";
import { ExpiringSet } from "../caches/expiring-set.ts";
import type { Db } from "../db/connect.ts";
import { isStale } from "./caller.ts";

/** `last_used_at` is only displayed, so a resolution of a minute is enough. */
const NOTED_MS = 60_000;
const WRITE_AFTER_MS = 1_000;

const uses = new WeakMap<Db, KeyUses>();

/**
 * Records that an ingest key was used. A background statement writes all keys of a second together; each key is written at
 * most once a minute.
 */
export function noteKeyUse(db: Db, keyId: number): void {
  let noted = uses.get(db);
  if (!noted) uses.set(db, (noted = new KeyUses(db)));
  noted.add(keyId);
}

class KeyUses {
  readonly #db: Db;
  /** The keys that were written, or will be, within the last minute. */
  readonly #noted = new ExpiringSet<number>();
  readonly #timer = new EverySecond(() => this.#write(), { firstMs: WRITE_AFTER_MS });
  #waiting: number[] = [];

  constructor(db: Db) {
    this.#db = db;
  }

  add(keyId: number): void {
    if (this.#noted.has(keyId)) return;
    this.#noted.add(keyId, NOTED_MS);
    this.#waiting.push(keyId);
    this.#timer.schedule();
  }

  async #write(): Promise<void> {
    const ids = this.#waiting;
    this.#waiting = [];
    if (ids.length === 0) return;
    await this.#db
      .updateTable("ingest_keys")
      .set({ last_used_at: sql`now()` })
      .where("id", "in", ids)
      .where(isStale)
      .execute()
      // Ignore the error: the next use after a minute tries again, and nothing else depends on the time.
      .catch(() => {});
  }
}
