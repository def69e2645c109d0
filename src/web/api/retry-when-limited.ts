import { ApiError } from "./client.ts";
import { MAX_RETRIES, pauseMs } from "./rate-limit.ts";

/** Retries a write after 429, honoring Retry-After. Only for writes whose order does not matter; reads need none of this. */
export async function retryWhenLimited<T>(request: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429 || retries === MAX_RETRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, pauseMs(error.retryAfter, retries)));
    }
  }
}
