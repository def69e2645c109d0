import type { QueryClient } from "@tanstack/react-query";
import { ApiError, OfflineError } from "../../api/client.ts";
import { connectionLost } from "../../api/connection-lost.ts";
import { isWaiting, type NewChange, type Queued, queuedChanges, sendChange } from "./queued-changes.ts";

/** Takes a change back, unless it has been sent meanwhile. */
export const cancelQueued = async (client: QueryClient, id: number): Promise<void> =>
  (await import("./change-queue.ts")).cancelChange(client, id);

/**
 * Sends a change, or keeps it until the connection is back: while the server cannot be reached, and while earlier changes wait,
 * so that all arrive in their order. Throws OfflineError if the browser cannot keep it.
 */
export async function sendOrQueue<T>(client: QueryClient, change: NewChange): Promise<T | Queued> {
  const key = crypto.getRandomValues(new Uint32Array(4)).join("-");
  if (!connectionLost.get() && !queuedChanges.get().some(isWaiting))
    try {
      return await sendChange<T>(change.request, key);
    } catch (error) {
      if (!isUnreachable(error)) throw error;
    }
  const { queueChange } = await import("./change-queue.ts").catch(() => {
    throw new OfflineError();
  });
  return queueChange(client, change, key);
}

/** No response, or one of a proxy that has not reached the server. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof OfflineError || (error instanceof ApiError && error.status >= 502 && error.status <= 504);
