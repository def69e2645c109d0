/** Looking for work takes a few milliseconds, on a busy machine a hundred. */
const LONG_MS = 500;

export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Runs work one after another, in the order of the calls. Work that takes long no longer delays the rest. */
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
