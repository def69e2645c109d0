import { Session } from "node:inspector/promises";

/** Shares of a core. Between the two, the state does not change. */
const BUSY = 0.2;
const AT_REST = 0.05;

const INTERVAL_MS = 5_000;

/**
 * Collects garbage when the process has come to rest, after its start and after load. V8 keeps the memory that young objects
 * took, 15 MB, until it next collects old ones, which a process at rest puts off for hours.
 */
export function collectAtRest(collect = collectGarbage, intervalMs = INTERVAL_MS): { stop: () => void } {
  const isTimeTo = makeRestDetector();
  let before = process.cpuUsage();
  let askedAt = performance.now();
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    const now = performance.now();
    // Where V8 cannot be asked, the process keeps the memory.
    if (isTimeTo((user + system) / 1_000 / (now - askedAt))) collect().catch(() => {});
    before = process.cpuUsage();
    askedAt = now;
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

/** Stops the process for 50 to 100 ms. */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post("HeapProfiler.collectGarbage");
  } finally {
    session.disconnect();
  }
}
