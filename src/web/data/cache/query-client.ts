import { notifyManager, QueryClient } from "@tanstack/react-query";
import { ApiError, OfflineError } from "../../api/client.ts";
import { answerWithCopy } from "./copies.ts";

/**
 * Pages render from the cache first and refetch in the background. Live updates mark queries as stale, so nothing is
 * polled or refetched on focus.
 *
 * Query keys are `[kind, project id or null, …]`, with the kinds of live updates (see live.ts) or others.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The server may be reachable without a network: on this computer, or when the browser is wrong.
      networkMode: "always",
      persister: answerWithCopy,
      staleTime: 60_000,
      gcTime: 10 * 60_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => count < 2 && isTransient(error),
      retryDelay: (count, error) =>
        error instanceof ApiError && error.retryAfter !== undefined
          ? error.retryAfter * 1_000
          : 1_000 * 2 ** count,
    },
    mutations: { networkMode: "always", retry: false },
  },
});

// Flush query notifications before the next input event is handled. By default they wait for a timer, so that a second
// press could submit twice, or close a dialog whose request is in flight.
notifyManager.setScheduler(queueMicrotask);

/** Only 502 and above, and network errors are worth a retry. Requests repeat themselves after a 429. */
function isTransient(error: unknown): boolean {
  if (error instanceof OfflineError) return true;
  return error instanceof ApiError && error.status >= 502;
}
