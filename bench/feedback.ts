import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { FeedbackLoad, FeedbackResult } from "./feedback-load.ts";
import { report, SECONDS } from "./ingest.ts";
import { quantile } from "./load.ts";
import { setUp, startServer, type BenchServer } from "./server.ts";
import { makeProject, partOf } from "./storm.ts";

const VISITORS = 100;
const IMAGES = 5;
const EVENTS = { connections: 8, groups: 20, pauseMs: 20 };

/** Seconds until the connections of the events are open. */
const SETTLING = 1;
/** The longest that the uploads may take. */
const MAX_UPLOAD_SECONDS = 240;

/**
 * Visitors who all send five large images at once while events arrive in another project: the latency of the events before and
 * meanwhile, and the highest memory of the server. Fails if an event is rejected.
 */
export async function benchFeedback() {
  const server = await startServer(undefined, {
    LIMIT_FEEDBACK_ADDRESS: "10000",
    LIMIT_FEEDBACK_KEY: "10000",
    TRUST_PROXY: "127.0.0.1",
  });
  try {
    const owner = await setUp(server.port);
    const events = await makeProject(owner, server.port, "EVENTS");
    const { id } = (await owner.post("/api/projects", { key: "SHOP", name: "Shop" })) as { id: number };
    const { key } = (await owner.post(`/api/projects/${id}/ingest-keys`, { name: "shop" })) as {
      key: string;
    };
    await (await events.prepare({ ...EVENTS, seconds: 2 })).start();

    const flood = await prepareFlood({
      port: server.port,
      projectId: id,
      key,
      visitors: VISITORS,
      images: IMAGES,
    });
    const sender = await events.prepare({ ...EVENTS, seconds: SETTLING + SECONDS + MAX_UPLOAD_SECONDS });
    const start = performance.now();
    const seconds = () => (performance.now() - start) / 1_000;
    const sent = sender.start();
    await sleep((SETTLING + SECONDS) * 1_000);
    const before = await server.usage();
    const began = seconds();
    const peak = samplePeak(server);
    const usage = await server.usage();
    const { statuses, ms } = await flood.start();
    const ended = seconds();
    const after = await server.usage();
    const { memory, worker } = await peak.stop();
    const result = await sent;
    if (result.other.size > 0) throw new Error("events were rejected");

    const [quiet, meanwhile] = [partOf(result, SETTLING, began), partOf(result, began, ended)];
    console.log(
      `\nFeedback: ${VISITORS} visitors with ${IMAGES} images of ${(flood.bytes / 1_048_576).toFixed(1)} MiB at once, while events of 3 KB arrive`,
    );
    report("events, quiet", quiet);
    report("events, meanwhile", meanwhile);
    const times = (q: number) => (quantile(meanwhile.latencies, q) / quantile(quiet.latencies, q)).toFixed(2);
    console.log(`  times the quiet ones: p50 ${times(0.5)}, p99 ${times(0.99)}`);
    console.log(
      `  uploads: ${JSON.stringify(statuses)} by status, the last one after ${(ms / 1_000).toFixed(1)} s`,
    );
    console.log(`  server: ${before.server.memory.toFixed(0)} MiB before, peak ${memory.toFixed(0)} MiB`);
    console.log(
      `  CPU during the uploads: server ${(after.server.cpu - usage.server.cpu).toFixed(1)} s, PostgreSQL and file workers ${(after.postgres.cpu - usage.postgres.cpu).toFixed(1)} s`,
    );
    console.log(`  PostgreSQL and file workers: peak ${worker.toFixed(0)} MiB`);
  } finally {
    await server.stop();
  }
}

/** The process that sends the images has the lowest priority, because real visitors have machines of their own. */
async function prepareFlood(load: FeedbackLoad) {
  const child = fork(path.join(import.meta.dirname, "feedback-load.ts"), {
    execPath: "nice",
    execArgv: ["-n", "19", process.execPath],
  });
  child.send(load);
  const [bytes] = (await once(child, "message")) as [number];
  return {
    bytes,
    start: async () => {
      child.send("start");
      const [result] = (await once(child, "message")) as [FeedbackResult];
      return result;
    },
  };
}

/** Highest memory in MiB of the server, and of its child processes together. */
function samplePeak(server: BenchServer) {
  const peak = { memory: 0, worker: 0 };
  const state = { isOn: true };
  const sampling = (async () => {
    while (state.isOn) {
      const usage = await server.usage();
      peak.memory = Math.max(peak.memory, usage.server.memory);
      peak.worker = Math.max(peak.worker, usage.postgres.memory);
      await sleep(100);
    }
  })();
  return {
    stop: async () => {
      state.isOn = false;
      await sampling;
      return peak;
    },
  };
}
