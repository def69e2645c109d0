import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";

/** The number is arbitrary, but no other program may use it for an advisory lock on this database. */
const KEY = 7_318_204;

const PAUSE_MS = 100;

/** Waits until no other process migrates the database or backs it up, and holds the lock until the connection ends. */
export const lockForMigration = (client: pg.Client): Promise<void> => take(client, "pg_try_advisory_lock");

/** Waits until no process migrates the database, because tables must not change while they are copied. */
export const lockAgainstMigrations = (client: pg.Client): Promise<void> =>
  take(client, "pg_try_advisory_lock_shared");

/**
 * Tries again and again. A statement that waited for the lock would keep its snapshot meanwhile, and `create index concurrently`,
 * which a migration runs with the lock, waits for all older snapshots: a deadlock.
 */
async function take(client: pg.Client, attempt: string) {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(`select ${attempt}($1) as taken`, [KEY]);
    if (rows[0]?.taken) return;
    await pause(PAUSE_MS);
  }
}
