import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startEmbedded } from "../src/server/postgres/embedded.ts";
import { makeEvents } from "./events.ts";
import { makeTargets, requestsFor } from "./ingest.ts";
import { load, type Prepared } from "./load.ts";
import { setUp, startServer, usageOf, type BenchServer } from "./server.ts";

const CONNECTIONS = 126;
const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 10);
const ROUNDS = 3;

type Step = { name: string; servers: number; isApart: boolean };

const STEPS: Step[] = [
  { name: "one server with its own PostgreSQL", servers: 1, isApart: false },
  { name: "one server, PostgreSQL apart", servers: 1, isApart: true },
  { name: "three servers, PostgreSQL apart", servers: 3, isApart: true },
];

/** Events of 3 KB in 200 groups, into one server and into several on one database, in turn. Prints the medians of the rounds. */
export async function benchSteps() {
  console.log(`\nSteps: events of 3 KB, ${CONNECTIONS} connections over all servers`);
  const rounds = STEPS.map((): Round[] => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [n, step] of STEPS.entries()) rounds[n]?.push(await measure(step));
  for (const [n, { name }] of STEPS.entries()) {
    const of = (part: keyof Round) => median((rounds[n] ?? []).map((round) => round[part]));
    console.log(
      `  ${name.padEnd(36)} ${of("perSecond").toFixed(0).padStart(6)} events/s, CPU time per event: servers ${of("server").toFixed(0)} µs, PostgreSQL ${of("postgres").toFixed(0)} µs`,
    );
  }
}

type Round = { perSecond: number; server: number; postgres: number };

async function measure({ servers: count, isApart }: Step): Promise<Round> {
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-steps-"));
  const database = isApart ? await startEmbedded({ dataDir: folder, log: () => {} }) : undefined;
  const servers: BenchServer[] = [];
  try {
    for (let n = 0; n < count; n++)
      servers.push(await startServer(undefined, database ? { DATABASE_URL: database.url } : {}));
    const [first] = servers;
    if (!first) throw new Error("a step has at least one server");
    const requests = requestsFor(
      makeEvents(4_000, 200, 3_000),
      await makeTargets(await setUp(first.port), 8),
    );
    const run = (seconds: number) =>
      Promise.all(
        servers.map(({ port }) =>
          load({
            port,
            connections: CONNECTIONS / count,
            seconds,
            expectedStatus: 202,
            next: (n) => requests[n % requests.length] as Prepared,
          }),
        ),
      );
    await run(SECONDS / 3);
    const postgresPid = isApart ? await pidOf(folder) : undefined;
    const before = await cpuTimes(servers, postgresPid);
    const results = await run(SECONDS);
    const after = await cpuTimes(servers, postgresPid);
    const stored = results.reduce((sum, { ok }) => sum + ok, 0);
    if (results.some(({ other }) => other.size > 0)) throw new Error("requests were refused");
    return {
      perSecond: results.reduce((sum, { ok, seconds }) => sum + ok / seconds, 0),
      server: ((after.server - before.server) / stored) * 1e6,
      postgres: ((after.postgres - before.postgres) / stored) * 1e6,
    };
  } finally {
    for (const server of servers) await server.stop();
    await database?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** In seconds, of all servers and of PostgreSQL. */
async function cpuTimes(servers: BenchServer[], postgresPid: number | undefined) {
  const times = { server: 0, postgres: 0 };
  for (const each of servers) {
    const { server, postgres } = await each.usage();
    times.server += server.cpu;
    times.postgres += postgres.cpu;
  }
  if (postgresPid !== undefined) {
    const { server, postgres } = await usageOf(postgresPid);
    times.postgres += server.cpu + postgres.cpu;
  }
  return times;
}

/** The first line of this file is the process id of PostgreSQL. */
async function pidOf(folder: string): Promise<number> {
  return Number.parseInt(await readFile(path.join(folder, "postgres/data/postmaster.pid"), "utf8"), 10);
}

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
