import path from "node:path";
import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { findAddress } from "../src/server/postgres/address.ts";
import { makeEvents } from "./events.ts";
import { makeTargets, requestsFor, report, SECONDS, watchUsage } from "./ingest.ts";
import { load, type LoadResult, type Prepared } from "./load.ts";
import { setUp, startServer, type BenchServer } from "./server.ts";

const CASES = [
  { name: "64 tokens with 1,000 a minute each", tokens: 64, limit: 1_000, connections: 64 },
  { name: "a fleet with one token", tokens: 1, limit: 1_000_000, connections: 64 },
  { name: "the same, 4 connections", tokens: 1, limit: 1_000_000, connections: 4 },
];

/** The cost of rate limits that count, as in production: commits per batch and CPU time per event. */
export async function benchLimits() {
  const events = makeEvents(4_000, 200, 3_000);
  for (const { name, tokens, limit, connections } of CASES) {
    console.log(`\nLimits, ${name}: ${connections} connections, events of 3 KB`);
    const server = await startServer(undefined, { LIMIT_INGEST: String(limit) });
    try {
      const requests = requestsFor(events, await makeTargets(await setUp(server.port), tokens));
      const next = (n: number) => requests[n % requests.length] as Prepared;
      const run = (seconds: number) =>
        load({ port: server.port, connections, seconds, expectedStatus: 202, next });
      await run(1);
      const counts = await openCounts(server);
      const idle = await counts.read();
      await pause(3_000);
      const before = await counts.read();
      const watch = await watchUsage(server);
      const result = await run(SECONDS);
      const { cpu } = await watch.stop();
      const after = await counts.read();
      await counts.close();
      const polling = ((before.commits - idle.commits) / (before.at - idle.at)) * (after.at - before.at);
      report("until commit", result);
      printPerEvent(result, cpu);
      const commits = (after.commits - before.commits - polling) / (after.batches - before.batches);
      console.log(`    commits per batch: ${commits.toFixed(2)}`);
    } finally {
      await server.stop();
    }
  }
}

function printPerEvent({ ok, other }: LoadResult, cpu: { server: number; postgres: number }) {
  const microseconds = (seconds: number) => `${((seconds / ok) * 1e6).toFixed(0)} µs`;
  console.log(
    `    CPU time per event: server ${microseconds(cpu.server)}, PostgreSQL ${microseconds(cpu.postgres)}`,
  );
  if (other.size > 0) console.log("    other statuses:", other);
}

/** Counts the transactions of the embedded database and the batches of events. */
async function openCounts({ dataDir, port }: BenchServer) {
  const home = path.join(dataDir, "postgres");
  const address = await findAddress(path.join(home, "socket"), path.join(home, "data"));
  const password = await readFile(path.join(home, "password"), "utf8");
  const client = new pg.Client({ connectionString: address?.url(password.trim()) });
  await client.connect();
  return {
    read: async () => {
      await pause(1_500); // Connections report their transactions once a second.
      const { rows } = await client.query<{ sum: string }>(
        "select sum(xact_commit) as sum from pg_stat_database",
      );
      const metrics = await (await fetch(`http://127.0.0.1:${port}/api/metrics`)).text();
      const batches = Number(/^signalbox_ingest_batch_events_count (\d+)/m.exec(metrics)?.[1]);
      return { at: performance.now(), commits: Number(rows[0]?.sum), batches };
    },
    close: async () => {
      await client.end();
      await address?.remove();
    },
  };
}
