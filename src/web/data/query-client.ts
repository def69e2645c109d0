import { notifyManager, QueryClient } from "@tanstack/react-query";
import { ApiError, OfflineError } from "../api/client.ts";

/**
 * Cache first, refreshed behind; live updates say what is stale, so nothing is asked for on a timer or on focus.
 *
 * Keys are `[kind, project id or null, …]`: the kind is that of live updates (see live.ts), or a word of its own.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => count < 2 && mayHeal(error),
      retryDelay: (count, error) =>
        error instanceof ApiError && error.retryAfter !== undefined
          ? error.retryAfter * 1_000
          : 1_000 * 2 ** count,
    },
    mutations: { retry: false },
  },
});

// What was begun is drawn before the next key or click is taken: by default that waits for a timer, and a second
// press within it sends twice, or closes the dialog whose request is under way.
notifyManager.setScheduler(queueMicrotask);

/** A refusal stays a refusal; only a limit, an outage or a lost connection pass. */
function mayHeal(error: unknown): boolean {
  if (error instanceof OfflineError) return true;
  return error instanceof ApiError && (error.status === 429 || error.status >= 502);
}
