import { spawn } from "node:child_process";
import path from "node:path";
import { load, type Prepared } from "./load.ts";
import { usageOf, type BenchServer } from "./server.ts";

/** Turns of each server, after one for warming up. */
const TURNS = 9;

/** Seconds before each turn, until connections are open and the sender is known again. */
const BEFORE = 0.1;

type Target = { port: number; pid: number; request: Prepared; expectedStatus: number };
type Turn = { perSecond: number; cpu: number };

export type BareHttp = { port: number; pid: number; stop(): void };

/** Starts a server that only reads bodies, parses them as JSON and responds with 202. */
export async function startBareHttp(): Promise<BareHttp> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "bare-http.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await new Promise<number>((resolve) =>
    child.stdout.once("data", (chunk: Buffer) => resolve(Number(chunk.toString()))),
  );
  return { port, pid: child.pid ?? 0, stop: () => void child.kill() };
}

/**
 * Compares a request with the same one to bare HTTP, in short turns: within a run, the speed of a shared machine changes by more
 * than what is to be measured. Prints medians of requests per second and CPU time, and of the ratios of turns that follow each
 * other.
 */
export async function besideBareHttp(
  name: string,
  ours: { server: BenchServer; request: Prepared; expectedStatus: number },
  { connections, seconds, bareRequest }: { connections: number; seconds: number; bareRequest: Prepared },
): Promise<void> {
  const http = await startBareHttp();
  const bare: Target = { ...http, request: bareRequest, expectedStatus: 202 };
  const own: Target = { ...ours, port: ours.server.port, pid: ours.server.process.pid ?? 0 };
  const turn = (target: Target) => measure(target, connections, seconds / TURNS);
  try {
    const pairs: { bare: Turn; own: Turn }[] = [];
    for (let n = 0; n <= TURNS; n++) {
      // The order alternates, too.
      const first = n % 2 === 0 ? { bare: await turn(bare) } : { own: await turn(own) };
      const pair = { bare: first.bare ?? (await turn(bare)), own: first.own ?? (await turn(own)) };
      if (n > 0) pairs.push(pair);
    }
    print(
      "bare HTTP",
      pairs.map((pair) => pair.bare),
    );
    print(
      name,
      pairs.map((pair) => pair.own),
    );
    const ratios = pairs.map((pair) => pair.own.perSecond / pair.bare.perSecond);
    const cpu = pairs.map((pair) => pair.bare.cpu / pair.own.cpu);
    console.log(
      `  ratio to bare HTTP, ${TURNS} turns of ${(seconds / TURNS).toFixed(1)} s each: ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}), by the server's CPU time ${median(cpu).toFixed(2)}`,
    );
  } finally {
    http.stop();
  }
}

async function measure(
  { port, pid, request, expectedStatus }: Target,
  connections: number,
  seconds: number,
): Promise<Turn> {
  const run = (duration: number) =>
    load({ port, connections, seconds: duration, expectedStatus, next: () => request });
  await run(BEFORE);
  const before = await usageOf(pid);
  const result = await run(seconds);
  const after = await usageOf(pid);
  if (result.other.size > 0) console.log("    other statuses:", result.other);
  return {
    perSecond: result.ok / result.seconds,
    cpu: ((after.server.cpu - before.server.cpu) / result.ok) * 1e6,
  };
}

function print(name: string, turns: Turn[]): void {
  const perSecond = Math.round(median(turns.map((turn) => turn.perSecond)));
  const cpu = median(turns.map((turn) => turn.cpu));
  console.log(
    `  ${name.padEnd(30)} ${perSecond.toLocaleString("en").padStart(9)} a second   server ${cpu.toFixed(1)} µs`,
  );
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
