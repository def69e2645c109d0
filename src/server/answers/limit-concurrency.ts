import { overloaded } from "./errors.ts";

/** Runs at most `most` functions at a time in this process. Further calls throw 503 with `Retry-After`. */
export function limitConcurrency(most: number, retrySeconds = 1) {
  let running = 0;
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (running >= most) throw overloaded(retrySeconds);
    running++;
    try {
      return await run();
    } finally {
      running--;
    }
  };
}
