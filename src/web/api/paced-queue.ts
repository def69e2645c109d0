import { ApiError } from "./client.ts";
import { MAX_RETRIES, pauseMs } from "./rate-limit.ts";

/** The counts are for everything since the queue was empty last. */
export type QueueProgress = {
  done: number;
  failed: number;
  /** Removed by `stop`. */
  stopped: number;
  /** Not sent yet, or in flight. */
  left: number;
  /** Whether the rate limit has been reached. */
  isWaiting: boolean;
};

type Options<T> = {
  send: (item: T) => Promise<unknown>;
  onFailure: (item: T, error: unknown) => void;
  /** Called after each change; the last call has nothing `left`. */
  onProgress: (progress: QueueProgress) => void;
  wait?: (ms: number) => Promise<void>;
};

const noCounts = () => ({ done: 0, failed: 0, stopped: 0 });

/** Sends items one after another. When the server's rate limit is reached, it waits for as long as the server says. */
export function pacedQueue<T>({ send, onFailure, onProgress, wait = sleep }: Options<T>) {
  let waiting: readonly T[] = [];
  let inFlight: T | undefined;
  let counts = noCounts();
  let endPause = () => {};

  const report = (isWaiting = false) =>
    onProgress({ ...counts, left: waiting.length + (inFlight === undefined ? 0 : 1), isWaiting });
  const run = async () => {
    while (waiting.length > 0) {
      const [item] = waiting as [T, ...T[]];
      waiting = waiting.slice(1);
      inFlight = item;
      report();
      const failure = await send(item).then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      inFlight = undefined;
      if (failure === undefined) counts.done++;
      else if (failure.error instanceof ApiError && failure.error.status === 429) {
        waiting = [item, ...waiting];
        report(true);
        const stopped = new Promise<void>((resolve) => (endPause = resolve));
        await Promise.race([wait(pauseMs(failure.error.retryAfter, MAX_RETRIES)), stopped]);
      } else {
        counts.failed++;
        onFailure(item, failure.error);
      }
    }
    const last = counts;
    counts = noCounts();
    onProgress({ ...last, left: 0, isWaiting: false });
  };
  let running: Promise<void> | undefined;

  return {
    add(items: readonly T[]): void {
      waiting = [...waiting, ...items];
      running ??= run().finally(() => (running = undefined));
    },
    /** Removes and returns what has not been sent. */
    stop(): readonly T[] {
      const stopped = waiting;
      waiting = [];
      counts.stopped += stopped.length;
      endPause();
      return stopped;
    },
  };
}

const sleep = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms));
