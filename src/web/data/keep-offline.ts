import type { QueryClient } from "@tanstack/react-query";
import { keepAppFiles } from "../api/service-worker.ts";
import { keepCopies } from "./cache/keep-copies.ts";
import { startQueue } from "./offline/change-queue.ts";

/**
 * Keeps what a start without a connection needs: the app's files, and copies of what the person reads. Sends the changes that wait since
 * an earlier visit. Returns how to stop.
 */
export function keepOffline(client: QueryClient, userId: number): () => void {
  // Some browsers allow no service worker, such as in a private window.
  keepAppFiles().catch(() => {});
  const stopCopies = keepCopies(client, userId);
  const stopQueue = startQueue(client, userId);
  return () => {
    stopCopies();
    stopQueue();
  };
}
