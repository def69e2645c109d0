import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";

/** Between two reads of a condition, in milliseconds. */
const INTERVAL = 20;

/** No condition of a test takes this long unless something hangs, not even on a busy machine. */
export const DEADLINE = 60_000;

/** Reads every 20 ms until the value equals the expected one; fails with the difference after a minute. */
export async function eventually<T>(
  read: () => Promise<T> | T,
  expected: T,
  message?: string,
): Promise<void> {
  const deadline = performance.now() + DEADLINE;
  for (;;) {
    const value = await read();
    try {
      return assert.deepEqual(value, expected, message);
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await setTimeout(INTERVAL);
  }
}

/** Asks every 20 ms until the answer is true; fails after a minute. */
export async function waitUntil(
  condition: () => Promise<boolean> | boolean,
  message?: string,
): Promise<void> {
  await eventually(condition, true, message);
}
