import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { report, SECONDS } from "./ingest.ts";
import { quantile } from "./load.ts";
import { setUp, startServer, type Owner } from "./server.ts";
import type { StormLoad, StormResult } from "./storm-load.ts";

const STORM = { connections: 600, groups: 200 };
const OTHERS = { connections: 8, groups: 20, pauseMs: 20 };

/** Seconds in which the storm opens its connections, all at once. These events of others are reported apart. */
const ONSET = 1;
/** Seconds until the other project's connections are open and its sender is known. */
const SETTLING = 1;

/**
 * A storm in one project: how much longer the events of another project take meanwhile, and what share of the stored events
 * the storm has while both send as many as they can. Fails if events of the other project are rejected, or if a count differs
 * from the acknowledged events.
 */
export async function benchStorm() {
  console.log(`\nStorm: ${STORM.connections} connections, events of 3 KB`);
  const server = await startServer();
  try {
    const owner = await setUp(server.port);
    const [storming, other] = [
      await makeProject(owner, server.port, "STORM"),
      await makeProject(owner, server.port, "OTHER"),
    ];
    await together(
      await storming.prepare({ ...STORM, connections: 64, seconds: 2 }),
      await other.prepare({ ...OTHERS, seconds: 2 }),
    );
    const { quiet, onset, meanwhile, storm } = await measureStorm(storming, other, SECONDS);
    report("another project, quiet", quiet);
    report("the storm", storm);
    report("the other in its first second", onset);
    report("the other after that", meanwhile);
    const p99 = ({ latencies }: Part) => quantile(latencies, 0.99);
    console.log(
      `  p99 of the other project: ${(p99(meanwhile) / p99(quiet)).toFixed(2)} times the quiet one, ${(p99(onset) / p99(quiet)).toFixed(2)} times in the first second`,
    );
    const [most, least] = await together(
      await storming.prepare({ ...STORM, seconds: SECONDS }),
      await other.prepare({ ...STORM, connections: STORM.connections / 2, seconds: SECONDS }),
    );
    const share = most.ok / (most.ok + least.ok);
    console.log(
      `  share of the storm, while the other project has 300 connections: ${(share * 100).toFixed(0)}%`,
    );
    for (const project of [storming, other]) await checkCounts(owner, project);
  } finally {
    await server.stop();
  }
}

/** Events of a part of a run. */
type Part = { ok: number; seconds: number; latencies: Float64Array };

/**
 * The other project sends all the time, so its events before the storm, in the storm's first second and after that differ in
 * nothing else. The process that sends the storm has the lowest priority, because real senders run on other machines.
 */
async function measureStorm(storming: Project, other: Project, seconds: number) {
  const begins = SETTLING + seconds;
  const sending = await other.prepare({ ...OTHERS, seconds: begins + ONSET + seconds });
  const senders = await storming.prepare({ ...STORM, seconds: ONSET + seconds }, { nice: 19 });
  const start = performance.now();
  const sent = sending.start();
  await sleep(begins * 1_000);
  const began = (performance.now() - start) / 1_000;
  const [storm, result] = await Promise.all([senders.start(), sent]);
  if (result.other.size > 0) throw new Error("events of the other project were rejected");
  return {
    storm,
    quiet: partOf(result, SETTLING, began),
    onset: partOf(result, began, began + ONSET),
    meanwhile: partOf(result, began + ONSET, began + ONSET + seconds),
  };
}

/** The events that were sent between these seconds. */
export function partOf({ timeline: { ms, sentAt } }: StormResult, from: number, to: number): Part {
  const latencies = ms.filter((_, n) => {
    const second = (sentAt[n] ?? 0) / 1_000;
    return second >= from && second < to;
  });
  return { ok: latencies.length, seconds: to - from, latencies: Float64Array.from(latencies).sort() };
}

type Sender = { start(): Promise<StormResult> };
type Project = {
  id: number;
  sent: number;
  /** Starts a process that sends the events once it is told to. */
  prepare(
    load: Omit<StormLoad, "port" | "projectId" | "token">,
    priority?: { nice: number },
  ): Promise<Sender>;
};

const together = (...senders: [Sender, Sender]) => Promise.all([senders[0].start(), senders[1].start()]);

export async function makeProject(owner: Owner, port: number, key: string): Promise<Project> {
  const { id } = (await owner.post("/api/projects", { key, name: key })) as { id: number };
  const created = await owner.post(`/api/projects/${id}/tokens`, { name: "host", access: "read_write" });
  const { token } = created as { token: string };
  const project: Project = {
    id,
    sent: 0,
    prepare: async (load, { nice } = { nice: 0 }) => {
      const child = fork(path.join(import.meta.dirname, "storm-load.ts"), {
        execPath: "nice",
        execArgv: ["-n", String(nice), process.execPath],
        serialization: "advanced",
      });
      child.send({ port, projectId: id, token, ...load } satisfies StormLoad);
      await once(child, "message");
      return {
        start: async () => {
          child.send("start");
          const [result] = (await once(child, "message")) as [StormResult];
          project.sent += result.ok;
          return result;
        },
      };
    },
  };
  return project;
}

async function checkCounts(owner: Owner, { id, sent: sentCount }: Project) {
  const { data } = (await owner.get(`/api/projects/${id}/error-groups`)) as {
    data: { occurrence_count: number }[];
  };
  const counted = data.reduce((sum, group) => sum + group.occurrence_count, 0);
  console.log(`    counts: ${sentCount} acknowledged, ${counted} counted`);
  if (counted !== sentCount) throw new Error("counts differ from what was acknowledged");
}
