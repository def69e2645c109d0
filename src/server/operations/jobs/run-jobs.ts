import type { Logger } from "pino";

/** After failures in a row the pause grows up to this. */
const LONGEST_PAUSE_MS = 30_000;

export type Repeated = { stop(): Promise<void> };

/**
 * Runs `work` again and again, with a pause of `pauseMs` in between, until stopped: then what is under way ends first
 * (`isStopping` tells it so). A failure is logged, and makes the next pause longer.
 */
export function repeat(
  name: string,
  pauseMs: number,
  log: Logger,
  work: (isStopping: () => boolean) => Promise<void>,
): Repeated {
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const ended = (async () => {
    let failures = 0;
    while (!isStopping()) {
      try {
        await work(isStopping);
        failures = 0;
      } catch (error) {
        failures++;
        if (!isStopping()) log.error({ err: error, job: name }, "a background job failed");
      }
      await pause(Math.min(pauseMs * 2 ** failures, LONGEST_PAUSE_MS), stopping.signal);
    }
  })();
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done);
  });
}
