import { ApiError } from "./client.ts";

/** Concurrent requests when there are many: the server allows 120 in a minute. */
export const MAX_CONCURRENT = 4;

const MAX_RETRIES = 3;

/** Retries a write after 429, honoring Retry-After. Only for writes whose order does not matter; reads need none of this. */
export async function retryWhenLimited<T>(request: () => Promise<T>): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429 || retries === MAX_RETRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, (error.retryAfter ?? 2 ** retries) * 1_000));
    }
  }
}
