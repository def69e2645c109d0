import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startServer } from "./server.ts";

const RUNS = 5;

/** Startup time: the first start with an empty folder, then starts with an initialized one. */
export async function benchStart() {
  const dataDir = await mkdtemp(path.join(tmpdir(), "signalbox-bench-"));
  const times: number[] = [];
  for (let run = 0; run <= RUNS; run++) {
    const server = await startServer(dataDir);
    times.push(server.readyAfter);
    await server.stop();
  }
  await rm(dataDir, { recursive: true, force: true });
  const [first = 0, ...warm] = times;
  const median = warm.sort((a, b) => a - b)[Math.floor(warm.length / 2)] ?? 0;
  console.log(
    `\nStart: empty folder ${first.toFixed(0)} ms, initialized folder ${median.toFixed(0)} ms (median of ${RUNS})`,
  );
}
