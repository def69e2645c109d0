/** Milliseconds. Polling for work takes a few, or a hundred on a busy machine. */
const LONG_MS = 500;

export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Runs tasks one after another, in the order of the calls. After `longMs`, a running task stops blocking the queue. */
export function takeTurns(longMs = LONG_MS): InTurn {
  let last: Promise<void> = Promise.resolve();
  return async (work) => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    const timer = setTimeout(resolve, longMs);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      resolve();
    }
  };
}
