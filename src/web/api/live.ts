import type { QueryClient } from "@tanstack/react-query";

/** What the server tells over `GET /api/events`. */
export type Change = {
  kind: "issue" | "comment" | "report" | "error_group" | "notification" | "epic" | "project";
  project_id: number | null;
  id: number | null;
};

/** The first part of the query keys that a change makes stale. */
const STALE: Record<Change["kind"], string[]> = {
  issue: ["issue", "epic", "sprint"],
  comment: ["comment", "issue"],
  report: ["report"],
  error_group: ["error_group"],
  notification: ["notification"],
  epic: ["epic"],
  project: ["project", "lane", "label", "sprint", "people", "member", "role", "team", "token"],
};

/** Changes come in flocks; asking again for each would use up the limit of requests. A first one is shown soon. */
const GATHER_MS = 1_000;
const BUSY_MS = 5_000;

export type LiveState = "connecting" | "open" | "lost";

/** Keeps the cache fresh while the page is open. Returns how to stop. */
export function listenLive(
  client: QueryClient,
  onState: (state: LiveState) => void,
  isHeld: () => boolean,
): () => void {
  const waiting = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let all = false;
  let last = Number.NEGATIVE_INFINITY;
  const source = new EventSource("/api/events");

  const flush = () => {
    timer = undefined;
    // Nothing moves under a dragged card or an open menu.
    if (isHeld()) return gather();
    if (all) void client.invalidateQueries();
    else
      void client.invalidateQueries({
        predicate: ({ queryKey: [kind, project] }) =>
          waiting.has(`${String(kind)} ${String(project)}`) ||
          (project === null && [...waiting].some((entry) => entry.startsWith(`${String(kind)} `))),
      });
    waiting.clear();
    all = false;
    last = performance.now();
  };
  const gather = () => {
    timer ??= setTimeout(flush, performance.now() - last < BUSY_MS ? BUSY_MS : GATHER_MS);
  };

  source.addEventListener("open", () => onState("open"));
  source.addEventListener("error", () => onState("lost"));
  source.addEventListener("message", (event: MessageEvent<string>) => {
    const change = JSON.parse(event.data) as Change;
    for (const kind of STALE[change.kind] ?? []) waiting.add(`${kind} ${change.project_id}`);
    gather();
  });
  source.addEventListener("reset", () => {
    all = true;
    gather();
  });
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
