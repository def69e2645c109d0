import { setTimeout } from "node:timers/promises";
import { Client } from "pg";
import type { Database } from "../../src/server/db/connect.ts";

/**
 * Lets requests race: a transaction locks the rows that the statement names, `start` sends requests that wait for them,
 * and awaits `waiting(count)` where their order matters; then the transaction commits.
 */
export async function collide<T>(
  database: Database,
  lock: string,
  start: (waiting: (count: number) => Promise<void>) => Promise<Promise<T>[]>,
): Promise<T[]> {
  const client = new Client({ connectionString: database.url });
  const watch = new Client({ connectionString: database.url });
  await Promise.all([client.connect(), watch.connect()]);
  try {
    await client.query("begin");
    await client.query(lock);
    const requests = await start((count) => untilWaiting(watch, count));
    await client.query("commit");
    return await Promise.all(requests);
  } finally {
    await Promise.all([client.end(), watch.end()]);
  }
}

/** Fails before the requests do: a statement of a test app waits 50 seconds for a lock. */
async function untilWaiting(watch: Client, count: number): Promise<void> {
  const deadline = performance.now() + 40_000;
  let seen = 0;
  while (performance.now() < deadline) {
    const { rows } = await watch.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    seen = rows[0]?.waiting ?? 0;
    if (seen >= count) return;
    await setTimeout(10);
  }
  throw new Error(`${seen} instead of ${count} requests wait for a lock`);
}
