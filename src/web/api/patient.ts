import { ApiError } from "./client.ts";

/** Requests at a time where there are many, for a server that allows 120 in a minute. */
export const WIDTH = 4;

const MOST_WAITS = 3;

/** Told to wait, it waits. */
export async function patient<T>(request: () => Promise<T>): Promise<T> {
  for (let waits = 0; ; waits++) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429 || waits === MOST_WAITS) throw error;
      await new Promise((resolve) => setTimeout(resolve, (error.retryAfter ?? 2 ** waits) * 1_000));
    }
  }
}
