import { performance } from "node:perf_hooks";

const SAMPLE_MS = 250;

/** The part of the time in which the event loop has work, above which the process counts as busy. */
const BUSY = 0.85;

/** Returns a function that says whether the event loop has hardly rested lately. */
export function watchLoop(): () => boolean {
  let before = performance.eventLoopUtilization();
  let sampledAt = performance.now();
  let isBusy = false;
  return () => {
    const now = performance.now();
    if (now - sampledAt < SAMPLE_MS) return isBusy;
    const current = performance.eventLoopUtilization();
    isBusy = performance.eventLoopUtilization(current, before).utilization > BUSY;
    before = current;
    sampledAt = now;
    return isBusy;
  };
}
