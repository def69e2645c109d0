import { setTimeout as pause } from "node:timers/promises";
import { makeEvents } from "./events.ts";
import { makeTargets, report, requestsFor, SECONDS } from "./ingest.ts";
import { load, type LoadResult, type Prepared } from "./load.ts";
import { envelopesFor } from "./sentry.ts";
import { cpuOf, setUp, startServer } from "./server.ts";

/** As a small team's programs send. */
const TRICKLE = { connections: 10, perSecond: 30 };

/** V8 optimizes a function after hundreds of calls, so the first events cost twice as much as those of a server that has run for a while. */
const WARM_UP_SECONDS = 40;

/** What an event costs when few arrive, beyond what the idle server takes. */
export async function benchTrickle() {
  console.log(`\n${TRICKLE.perSecond} events a second`);
  const server = await startServer();
  try {
    const owner = await setUp(server.port);
    const targets = await makeTargets(owner);
    const events = makeEvents(1_000, 40, 3_000);
    const envelopes = await envelopesFor(events, owner, targets[0]?.projectId ?? 0);
    for (const [name, requests, expectedStatus] of [
      ["native events of 3 KB", requestsFor(events, targets), 202],
      ["envelopes of 14 KB", envelopes, 200],
    ] as const) {
      const next = (n: number) => requests[n % requests.length] as Prepared;
      const run = (seconds: number) => load({ port: server.port, seconds, expectedStatus, next, ...TRICKLE });
      await run(WARM_UP_SECONDS);
      await pause(5_000);
      const idle = await cpuOf(server, () => pause(SECONDS * 1_000));
      const results: LoadResult[] = [];
      const busy = await cpuOf(server, async () => void results.push(await run(SECONDS)));
      const [result] = results;
      if (!result) return;
      report(name, result);
      const each = (part: "server" | "postgres") =>
        `${(((busy[part] - idle[part]) / result.ok) * 1e6).toFixed(0)} µs`;
      const percent = (((idle.server + idle.postgres) / SECONDS) * 100).toFixed(1);
      console.log(`    CPU time for each: server ${each("server")}, PostgreSQL ${each("postgres")}`);
      console.log(`    without events: ${percent} % of a core`);
    }
  } finally {
    await server.stop();
  }
}
