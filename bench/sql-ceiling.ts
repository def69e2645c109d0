import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "../src/server/db/connect.ts";
import { startEmbedded } from "../src/server/postgres/embedded.ts";
import { queryKeepingConnection } from "../src/server/db/query-keeping-connection.ts";
import { migrate } from "../src/server/db/migrate.ts";
import { readEvent } from "../src/server/ingest/read/read-event.ts";
import type { Arrival } from "../src/server/ingest/store/event-batch.ts";
import { KnownGroups } from "../src/server/ingest/store/known-groups.ts";
import { storeEvents } from "../src/server/ingest/store/store-events.ts";
import type { BenchEvent } from "./events.ts";

const BATCH = 128;

/** Events per second when full batches are stored one after the other, with nothing but the SQL. */
export async function sqlCeiling(events: BenchEvent[], seconds: number): Promise<number> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "signalbox-bench-"));
  const server = await startEmbedded({ dataDir, log: () => {} });
  try {
    await migrate(server.url);
    const database = connect(server.url, () => {});
    const projectId = await makeProject(database.pool);
    const arrivals = events.map(({ body }): Arrival => ({
      projectId,
      event: readEvent(Buffer.from(body)),
      size: body.length,
    }));
    const knownGroups = new KnownGroups();
    const query = queryKeepingConnection(database.ingest);
    let stored = 0;
    const start = performance.now();
    for (let at = 0; performance.now() - start < seconds * 1000; at = (at + BATCH) % arrivals.length) {
      const batch = arrivals.slice(at, at + BATCH);
      await storeEvents(query, 90, batch, knownGroups);
      stored += batch.length;
    }
    const elapsed = (performance.now() - start) / 1000;
    await database.close();
    return stored / elapsed;
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function makeProject(pool: {
  query: (text: string) => Promise<{ rows: { id: number }[] }>;
}): Promise<number> {
  const { rows } = await pool.query(`
    with workspace as (insert into workspaces (name) values ('Bench') returning id)
    insert into projects (workspace_id, key, name) select id, 'BENCH', 'Bench' from workspace returning id`);
  return rows[0]?.id ?? 0;
}
