import { setTimeout as pause } from "node:timers/promises";
import { makeEvents } from "./events.ts";
import { makeTargets, report, requestsFor, SECONDS } from "./ingest.ts";
import { load, type Prepared } from "./load.ts";
import { cpuOf, setUp, startServer } from "./server.ts";

/** A minute is longer than connections stay open without a use. */
const IDLE_MS = 60_000;

/** Evenly spaced: connections that send at the same moment would measure a queue of 30. */
const TRICKLE = { connections: 30, perSecond: 300 };

/** What an idle installation costs, and how fast it is with little to do. */
export async function benchIdle() {
  const server = await startServer();
  try {
    const requests = requestsFor(makeEvents(2_000, 200, 3_000), await makeTargets(await setUp(server.port)));
    const cpu = await cpuOf(server, () => pause(IDLE_MS));
    const { server: own, postgres, processes } = await server.usage();
    console.log(
      `\nIdle: ${(own.memory + postgres.memory).toFixed(0)} MiB in ${processes} processes: server ${own.memory.toFixed(0)}, PostgreSQL ${postgres.memory.toFixed(0)}`,
    );
    const percent = (seconds: number) => `${((seconds / IDLE_MS) * 100_000).toFixed(1)} %`;
    console.log(`CPU of a core: server ${percent(cpu.server)}, PostgreSQL ${percent(cpu.postgres)}`);
    const next = (n: number) => requests[n % requests.length] as Prepared;
    const run = (seconds: number) =>
      load({ port: server.port, seconds, expectedStatus: 202, next, ...TRICKLE });
    await run(3);
    report("300 events a second", await run(SECONDS));
  } finally {
    await server.stop();
  }
}
