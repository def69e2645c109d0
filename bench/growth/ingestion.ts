import { makeEvents, type BenchEvent } from "../events.ts";
import { watchUsage } from "../ingest.ts";
import { load, prepare, type Prepared } from "../load.ts";
import type { Installation } from "./installation.ts";

const CONNECTIONS = 128;
const SECONDS = Number(process.env["BENCH_SECONDS"] ?? 10);
const ROUNDS = 2;

type Sent = { perSecond: number; server: number; postgres: number };

/** Events of 3 KB, 128 connections: into one project, and into all of them. */
export async function measureIngestion(small: Installation, large: Installation) {
  for (const [name, events, projects] of [
    ["200 groups of one project", makeEvents(4_000, 200, 3_000), 1],
    ["2,000 groups of all projects", makeEvents(8_000, 2_000, 3_000), Number.POSITIVE_INFINITY],
  ] as const) {
    const rounds = { small: [] as Sent[], large: [] as Sent[] };
    for (let round = 0; round < ROUNDS; round++) {
      rounds.small.push(await send(small, events, projects));
      rounds.large.push(await send(large, events, projects));
    }
    console.log(`\n  ${`ingestion, ${name}`.padEnd(48)}   small    large  ratio`);
    for (const [what, part] of [
      ["events per second", "perSecond"],
      ["CPU time of the server per event, µs", "server"],
      ["CPU time of PostgreSQL per event, µs", "postgres"],
    ] as const) {
      const [before, after] = [mean(rounds.small, part), mean(rounds.large, part)];
      console.log(
        `    ${what.padEnd(46)} ${before.toFixed(0).padStart(7)} ${after.toFixed(0).padStart(8)} ${(after / before).toFixed(2).padStart(6)}`,
      );
    }
  }
}

async function send({ server, known }: Installation, events: BenchEvent[], projects: number): Promise<Sent> {
  const own = known.senders.filter(({ projectId }) => projectId === known.project);
  const targets = projects === 1 ? own : known.senders;
  const requests = events.map(({ body, group }) => {
    const target = targets[group % targets.length];
    if (!target) throw new Error("there is no project to send to");
    return prepare(`/api/projects/${target.projectId}/error-events`, target.token, body, group);
  });
  const run = (seconds: number) =>
    load({
      port: server.port,
      connections: CONNECTIONS,
      seconds,
      expectedStatus: 202,
      next: (n) => requests[n % requests.length] as Prepared,
    });
  await run(SECONDS / 2);
  const watch = await watchUsage(server);
  const result = await run(SECONDS);
  const { cpu } = await watch.stop();
  if (result.other.size > 0) console.log("    other statuses:", result.other);
  return {
    perSecond: result.ok / result.seconds,
    server: (cpu.server / result.ok) * 1e6,
    postgres: (cpu.postgres / result.ok) * 1e6,
  };
}

const mean = (all: Sent[], part: keyof Sent) => all.reduce((sum, one) => sum + one[part], 0) / all.length;
