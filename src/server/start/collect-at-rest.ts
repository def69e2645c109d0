import { Session } from "node:inspector/promises";

/** Shares of a core. Between these loads, the state does not change. */
const BUSY = 0.2;
const AT_REST = 0.05;

const INTERVAL_MS = 5_000;

/**
 * Collects garbage when the process becomes idle after its start or after load. V8 keeps 15 MB of memory for young objects until it
 * next collects old ones, which an idle process does not do for hours.
 */
export function collectAtRest(collect = collectGarbage, intervalMs = INTERVAL_MS): { stop: () => void } {
  const isAtRest = makeRestDetector();
  let before = process.cpuUsage();
  let sampledAt = performance.now();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    const now = performance.now();
    // Without access to V8's collector, the process keeps the memory.
    if (isAtRest((user + system) / 1_000 / (now - sampledAt))) collect().catch(() => {});
    before = process.cpuUsage();
    sampledAt = now;
  }, intervalMs).unref();
  return { stop: () => clearInterval(timer) };
}

/**
 * Receives the share of a core that each interval took. True if it was the first one at rest since the start or a busy one.
 */
export function makeRestDetector(): (load: number) => boolean {
  let wasBusy = true;
  return (load) => {
    if (load >= BUSY) wasBusy = true;
    if (!wasBusy || load >= AT_REST) return false;
    wasBusy = false;
    return true;
  };
}

/** Blocks the process for 50 to 100 ms. */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post("HeapProfiler.collectGarbage");
  } finally {
    session.disconnect();
  }
}
