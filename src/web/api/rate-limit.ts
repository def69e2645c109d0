/** After this many responses with status 429, a request that is repeated by itself fails. */
export const MAX_RETRIES = 3;

/** Concurrent requests when there are many: the server allows 120 in a minute. */
export const MAX_CONCURRENT = 4;

/** How long to wait after a response with status 429, in milliseconds: as long as it says, else longer each time. */
export const pauseMs = (retryAfter: number | undefined, retries: number): number =>
  (retryAfter ?? 2 ** retries) * 1_000;
