import type { Query, QueryClient } from "@tanstack/react-query";
import { openSource } from "../api/live-source.ts";

/** What the server tells over `GET /api/events`. */
export type Change = {
  kind: "issue" | "comment" | "report" | "error_group" | "notification" | "epic" | "project";
  project_id: number | null;
  id: number | null;
  commentable_type?: "issues" | "epics";
  commentable_id?: number;
};

/** The first part of the query keys that a change makes stale. */
const STALE: Record<Change["kind"], string[]> = {
  issue: ["issue", "epic"],
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
/** The pause after one request, where there were many: half of what the server allows. */
const REQUEST_MS = 1_000;

export type LiveState = "connecting" | "open" | "lost";

/** Reads single issues of a project anew. Returns about how many requests that takes. */
export type ReadIssues = (projectId: number, ids: number[]) => number;

/** Keeps the cache fresh while the page is open. Returns how to stop. */
export function listenLive(
  client: QueryClient,
  onState: (state: LiveState) => void,
  isHeld: () => boolean,
  readIssues?: ReadIssues,
): () => void {
  const waiting = new Set<string>();
  const issues = new Map<number, Set<number>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let all = false;
  let busyUntil = Number.NEGATIVE_INFINITY;

  const flush = () => {
    timer = undefined;
    // Nothing moves under a dragged card or an open menu.
    if (isHeld()) return gather();
    let requests = 0;
    if (all) void client.invalidateQueries();
    else {
      void client.invalidateQueries({ predicate: (query) => isStale(query, waiting) });
      for (const [projectId, ids] of issues) requests += readIssues?.(projectId, [...ids]) ?? 0;
    }
    waiting.clear();
    issues.clear();
    all = false;
    busyUntil = performance.now() + Math.max(BUSY_MS, requests * REQUEST_MS);
  };
  const gather = () => {
    timer ??= setTimeout(flush, Math.max(GATHER_MS, busyUntil - performance.now()));
  };
  const everything = () => {
    all = true;
    gather();
  };

  const stop = openSource("/api/events", {
    open: (isAnew) => {
      onState("open");
      if (isAnew) everything();
    },
    lost: (isRefused) => {
      onState("lost");
      // Perhaps the session has ended: the answer to any request says so.
      if (isRefused) void client.refetchQueries({ queryKey: ["profile"] });
    },
    message: (data) => {
      const change = JSON.parse(data) as Change;
      const issue = readIssues && issueOf(change);
      if (issue) issues.set(issue.projectId, (issues.get(issue.projectId) ?? new Set()).add(issue.id));
      for (const kind of staleOf(client, change))
        if (!issue || kind !== "issue") waiting.add(`${kind} ${change.project_id}`);
      gather();
    },
    reset: everything,
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

/** The one issue that a change is about, if it is. */
function issueOf({ kind, project_id, id, commentable_type, commentable_id }: Change) {
  const about = kind === "issue" ? id : commentable_type === "issues" ? commentable_id : undefined;
  return typeof about === "number" && project_id !== null ? { projectId: project_id, id: about } : undefined;
}

function staleOf(client: QueryClient, { kind, project_id, commentable_type }: Change): string[] {
  if (kind === "comment" && commentable_type === "epics") return ["comment"];
  if (kind !== "notification" || project_id === null) return STALE[kind] ?? [];
  // Whoever is told of a project they did not have was just given it.
  const projects = client.getQueryData<{ id: number }[]>(["project", null, "list"]);
  return projects?.some(({ id }) => id === project_id) ? STALE[kind] : [...STALE[kind], "project"];
}

function isStale({ queryKey: [kind, project] }: Query, waiting: ReadonlySet<string>): boolean {
  if (waiting.has(`${String(kind)} ${String(project)}`)) return true;
  return project === null && [...waiting].some((entry) => entry.startsWith(`${String(kind)} `));
}
