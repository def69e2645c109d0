import type { Query, QueryClient } from "@tanstack/react-query";
import type { LiveEvent, LiveKind } from "../../shared/live-changes.ts";
import { openSource } from "../api/live-source.ts";

/** The queries that a change makes stale, by the first part of their keys. */
const STALE: Record<LiveKind, string[]> = {
  issue: ["issue", "epic"],
  comment: ["comment", "issue"],
  report: ["report"],
  error_group: ["error_group"],
  notification: ["notification"],
  epic: ["epic"],
  project: ["project", "lane", "label", "sprint", "people", "member", "role", "team", "token"],
};

/**
 * Changes are collected for a second, or for five seconds after an update, because refetching after each of many would
 * exceed the rate limit.
 */
const DEBOUNCE_MS = 1_000;
const BUSY_DEBOUNCE_MS = 5_000;
/** The pause for each request of an update that takes many: this uses half of the rate limit. */
const PAUSE_PER_REQUEST_MS = 1_000;

export type LiveState = "connecting" | "open" | "lost";

/** Refetches single issues of a project. Returns about how many requests that takes. */
export type ReadIssues = (projectId: number, ids: number[]) => number;

type Options = {
  onState?: (state: LiveState) => void;
  /** While true, nothing is refetched: rows must not move under a dragged card or an open menu. */
  isHeld?: () => boolean;
  /** Without it, a changed issue makes all issue queries of its project stale. */
  readIssues?: ReadIssues;
  connectTo?: (url: string) => EventSource;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
};

/** Keeps the cache fresh while the page is open. Returns how to stop. */
export function listenLive(
  client: QueryClient,
  { onState, isHeld, readIssues, connectTo, now = () => performance.now() }: Options = {},
): () => void {
  /** `kind projectId` */
  const stale = new Set<string>();
  const issues = new Map<number, Set<number>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAllStale = false;
  let busyUntil = Number.NEGATIVE_INFINITY;

  const update = () => {
    timer = undefined;
    if (isHeld?.()) return schedule();
    let requests = 0;
    if (isAllStale) void client.invalidateQueries();
    else {
      void client.invalidateQueries({ predicate: (query) => isStale(query, stale) });
      for (const [projectId, ids] of issues) requests += readIssues?.(projectId, [...ids]) ?? 0;
    }
    stale.clear();
    issues.clear();
    isAllStale = false;
    busyUntil = now() + Math.max(BUSY_DEBOUNCE_MS, requests * PAUSE_PER_REQUEST_MS);
  };
  const schedule = () => {
    timer ??= setTimeout(update, Math.max(DEBOUNCE_MS, busyUntil - now()));
  };
  const updateAll = () => {
    isAllStale = true;
    schedule();
  };

  const stop = openSource(
    "/api/events",
    {
      open: (missedChanges) => {
        onState?.("open");
        if (missedChanges) updateAll();
      },
      lost: (isRejected) => {
        onState?.("lost");
        // The session may have ended; the response to any request shows it.
        if (isRejected) void client.refetchQueries({ queryKey: ["profile"] });
      },
      message: (data) => {
        const change = JSON.parse(data) as LiveEvent;
        const issue = readIssues && issueOf(change);
        if (issue) issues.set(issue.projectId, (issues.get(issue.projectId) ?? new Set()).add(issue.id));
        for (const kind of staleKinds(client, change))
          if (!issue || kind !== "issue") stale.add(`${kind} ${change.project_id}`);
        schedule();
      },
      reset: updateAll,
    },
    connectTo,
  );
  return () => {
    clearTimeout(timer);
    stop();
  };
}

/** The issue that changed, or whose comments changed. */
function issueOf({ kind, project_id, id, commentable_type, commentable_id }: LiveEvent) {
  const issueId = kind === "issue" ? id : commentable_type === "issues" ? commentable_id : undefined;
  return typeof issueId === "number" && project_id !== null
    ? { projectId: project_id, id: issueId }
    : undefined;
}

function staleKinds(client: QueryClient, { kind, project_id, commentable_type }: LiveEvent): string[] {
  if (kind === "comment" && commentable_type === "epics") return ["comment"];
  if (kind !== "notification" || project_id === null) return STALE[kind] ?? [];
  // A notification about a project that is not in the list: the person was just added to it.
  const projects = client.getQueryData<{ id: number }[]>(["project", null, "list"]);
  return projects?.some(({ id }) => id === project_id) ? STALE[kind] : [...STALE[kind], "project"];
}

/** Queries over all projects (`null`) are stale when any project has changed. */
function isStale({ queryKey: [kind, project] }: Query, stale: ReadonlySet<string>): boolean {
  if (stale.has(`${String(kind)} ${String(project)}`)) return true;
  return project === null && [...stale].some((entry) => entry.startsWith(`${String(kind)} `));
}
