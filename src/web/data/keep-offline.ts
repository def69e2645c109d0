import type { QueryClient } from "@tanstack/react-query";
import { keepAppFiles } from "../api/service-worker.ts";
import { keepCopies } from "./cache/keep-copies.ts";

/** Keeps what a start without a connection needs: the app's files, and copies of what the person reads. Returns how to stop. */
export function keepOffline(client: QueryClient, userId: number): () => void {
  // Some browsers allow no service worker, such as in a private window.
  keepAppFiles().catch(() => {});
  return keepCopies(client, userId);
}
