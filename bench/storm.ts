import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { report, SECONDS } from "./ingest.ts";
import { quantile, type LoadResult } from "./load.ts";
import { setUp, startServer, type Owner } from "./server.ts";
import type { StormLoad } from "./storm-load.ts";

const STORM = { connections: 600, groups: 200 };
const OTHERS = { connections: 8, groups: 20, pauseMs: 20 };

/** Seconds in which the storm opens its connections, all at once. These events of others are reported apart. */
const ONSET = 1;
/** Seconds until the threads that send have started. */
const STARTING = 2;

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
    const [storming, other] = [await makeProject(owner, "STORM"), await makeProject(owner, "OTHER")];
    const send = (project: Project, load: Omit<StormLoad, "port" | "projectId" | "token">) =>
      project.send({ port: server.port, projectId: project.id, token: project.token, ...load });
    await Promise.all([
      send(storming, { ...STORM, connections: 64, seconds: 2 }),
      send(other, { ...OTHERS, seconds: 2 }),
    ]);
    const quiet = await send(other, { ...OTHERS, seconds: SECONDS });
    report("another project, quiet", quiet);
    const stormed = send(storming, { ...STORM, seconds: ONSET + STARTING + SECONDS });
    const onset = await send(other, { ...OTHERS, seconds: ONSET });
    const meanwhile = await send(other, { ...OTHERS, seconds: SECONDS });
    report("the storm", await stormed);
    report("the other in its first second", onset);
    report("the other after that", meanwhile);
    const p99 = (result: LoadResult) => quantile(result.latencies, 0.99);
    console.log(
      `  p99 of the other project: ${(p99(meanwhile) / p99(quiet)).toFixed(2)} times the quiet one, ${(p99(onset) / p99(quiet)).toFixed(2)} times in the first second`,
    );
    const [most, least] = await Promise.all([
      send(storming, { ...STORM, seconds: SECONDS }),
      send(other, { ...STORM, connections: STORM.connections / 2, seconds: SECONDS }),
    ]);
    const share = most.ok / (most.ok + least.ok);
    console.log(
      `  share of the storm, while the other project has 300 connections: ${(share * 100).toFixed(0)}%`,
    );
    if (quiet.other.size + onset.other.size + meanwhile.other.size > 0)
      throw new Error("events of the other project were rejected");
    for (const project of [storming, other]) await checkCounts(owner, project);
  } finally {
    await server.stop();
  }
}

type Project = { id: number; token: string; sent: number; send(load: StormLoad): Promise<LoadResult> };

async function makeProject(owner: Owner, key: string): Promise<Project> {
  const { id } = (await owner.post("/api/projects", { key, name: key })) as { id: number };
  const created = await owner.post(`/api/projects/${id}/tokens`, { name: "host", access: "read_write" });
  const project: Project = {
    id,
    token: (created as { token: string }).token,
    sent: 0,
    send: async (workerData) => {
      const worker = new Worker(new URL("./storm-load.ts", import.meta.url), { workerData });
      const [result] = (await once(worker, "message")) as [LoadResult];
      project.sent += result.ok;
      return result;
    },
  };
  return project;
}

async function checkCounts(owner: Owner, { id, sent }: Project) {
  const { data } = (await owner.get(`/api/projects/${id}/error-groups`)) as {
    data: { occurrence_count: number }[];
  };
  const counted = data.reduce((sum, group) => sum + group.occurrence_count, 0);
  console.log(`    counts: ${sent} acknowledged, ${counted} counted`);
  if (counted !== sent) throw new Error("counts differ from what was acknowledged");
}
