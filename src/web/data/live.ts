import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";
import type { Counts } from "../../shared/home.ts";
import type { LiveEvent, LiveKind } from "../../shared/live-changes.ts";
import type { Source } from "../api/live-source.ts";
import { shareSource, type Browser } from "../api/share-source.ts";
import { optimisticKey } from "./cache/use-optimistic.ts";

/** The queries that a change makes stale, by the first part of their keys. */
const STALE: Record<LiveKind, string[]> = {
  workspace: ["workspace", "member", "role", "team", "people", "workspace_invitation", "webhook"],
  profile: ["profile", "workspace", "project", "own_token", "saved_view"],
  issue: ["issue", "epic"],
  comment: ["comment", "issue"],
  report: ["report", "counts"],
  error_group: ["error_group", "kept_event", "release", "counts"],
  release: ["release", "release_marks", "kept_event"],
  monitor: ["monitor"],
  notification: ["notification"],
  epic: ["epic"],
  project: [
    "project",
    "lane",
    "label",
    "sprint",
    "people",
    "member",
    "role",
    "team",
    "token",
    "ingest_key",
    "project_rule",
    "issue_template",
    "webhook",
    "alert_rule",
    "git_connection",
    "code_owners",
    "forward_dsn",
    "counts",
    "saved_view",
  ],
};

/** Changes are collected for this time, because many often come together. */
const DEBOUNCE_MS = 50;
/** The pause after an update for each of its requests: this uses a small part of the rate limit, even for ten tabs. */
const PAUSE_PER_REQUEST_MS = 500;

/** Reads changed things of a project. Returns about how many requests that takes. */
export type ReadChanged = (client: QueryClient, projectId: number, ids: number[]) => number;

type Options = {
  onOpen?: () => void;
  onLost?: () => void;
  /** While true, nothing is refetched: rows must not move under a dragged card or an open menu. */
  isHeld?: () => boolean;
  /** By kind. Without one, a change makes all queries of its kind and project stale. */
  readers?: { [kind in LiveKind]?: ReadChanged };
  browser?: Browser;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
};

/** Keeps the cache of the signed-in user fresh while the page is open. */
export function listenLive(
  client: QueryClient,
  userId: number,
  { onOpen, onLost, isHeld, readers = {}, browser, now = () => performance.now() }: Options = {},
): Source {
  /** `kind projectId` */
  const stale = new Set<string>();
  /** The ids to read, by `kind projectId`. */
  const changed = new Map<string, Set<number>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAllStale = false;
  let busyUntil = Number.NEGATIVE_INFINITY;

  const update = () => {
    timer = undefined;
    if (isHeld?.() || isShownUnsaved() || isSaving("project") || isSaving("workspace")) return schedule();
    let requests = 0;
    // What changed comes before what depends on it, such as the counts of an epic.
    if (!isAllStale)
      for (const [key, ids] of changed) {
        const [kind, projectId] = key.split(" ") as [LiveKind, string];
        requests += readers[kind]?.(client, Number(projectId), [...ids]) ?? 0;
      }
    const predicate = (query: Query) => isAllStale || isStale(query.queryKey, stale);
    for (const query of client.getQueryCache().findAll({ type: "active", predicate }))
      requests += pageCount(query);
    void client.invalidateQueries({ predicate });
    stale.clear();
    changed.clear();
    isAllStale = false;
    busyUntil = now() + Math.max(1, requests) * PAUSE_PER_REQUEST_MS;
  };
  // What is read before a change that this page shows is saved would undo the change on screen.
  const isShownUnsaved = () => {
    const toRead = new Set([...stale, ...changed.keys()]);
    return client
      .getMutationCache()
      .findAll({ mutationKey: optimisticKey([]), status: "pending" })
      .some(({ options: { mutationKey = [] } }) => isAllStale || isStale(mutationKey.slice(1), toRead));
  };
  // A list read before this page has left the project or workspace that it deletes would leave the page without it.
  const isSaving = (kind: "project" | "workspace") =>
    [...stale].some((key) => key.startsWith(`${kind} `)) && client.isMutating({ mutationKey: [kind] }) > 0;
  const schedule = () => {
    timer ??= setTimeout(update, Math.max(DEBOUNCE_MS, busyUntil - now()));
  };
  const updateAll = () => {
    isAllStale = true;
    schedule();
  };

  const take = (change: LiveEvent) => {
    const read = whatToRead(change);
    const isRead = read !== undefined && readers[read.kind] !== undefined;
    if (isRead) {
      const key = `${read.kind} ${change.project_id}`;
      changed.set(key, (changed.get(key) ?? new Set()).add(read.id));
    }
    for (const kind of staleKinds(client, change))
      if (!isRead || kind !== read.kind) stale.add(`${kind} ${change.project_id ?? "*"}`);
    schedule();
  };
  const askWhoIsSignedIn = () => void client.refetchQueries({ queryKey: ["profile"] });

  const source = shareSource(
    userId,
    (signal) => {
      if (signal.type === "change") take(JSON.parse(signal.data) as LiveEvent);
      else if (signal.type === "reset") updateAll();
      else if (signal.type === "open") onOpen?.();
      else if (signal.type === "account") askWhoIsSignedIn();
      else if (signal.type === "lost") {
        onLost?.();
        // The session may have ended; the response shows it.
        if (signal.isRejected) askWhoIsSignedIn();
      }
    },
    browser,
  );
  return {
    retry: source.retry,
    close: () => {
      clearTimeout(timer);
      source.close();
    },
  };
}

/** How many requests read the query again: one for each page of an infinite query. */
const pageCount = ({ state: { data } }: Query) =>
  typeof data === "object" && data !== null && "pages" in data && Array.isArray(data.pages)
    ? Math.max(1, data.pages.length)
    : 1;

/** What a reader reads: the thing that changed, or the issue whose comments changed. */
function whatToRead({ kind, project_id, id, commentable_type, commentable_id }: LiveEvent) {
  if (project_id === null) return undefined;
  if (kind === "comment" && commentable_type === "issues" && commentable_id !== undefined)
    return { kind: "issue" as const, id: commentable_id };
  return { kind, id };
}

function staleKinds(client: QueryClient, { kind, project_id, commentable_type }: LiveEvent): string[] {
  if (kind === "comment" && commentable_type !== undefined && commentable_type !== "issues")
    return ["comment"];
  // Check-ins change monitors too often to read the counts each time, but the sidebar lists monitors as soon as there is one.
  if (kind === "monitor" && client.getQueryData<Counts>(["counts", project_id])?.monitors === 0)
    return [...STALE.monitor, "counts"];
  if (kind !== "notification" || project_id === null) return STALE[kind] ?? [];
  // A notification about a project that is not in the list: the person was just added to it.
  const projects = client.getQueryData<{ id: number }[]>(["project", null, "list"]);
  return projects?.some(({ id }) => id === project_id) ? STALE[kind] : [...STALE[kind], "project"];
}

/** Queries over all projects (`null`) are stale when any project has changed, and a change may concern every project. */
function isStale([kind, project]: QueryKey, stale: ReadonlySet<string>): boolean {
  if (stale.has(`${String(kind)} ${String(project)}`) || stale.has(`${String(kind)} *`)) return true;
  return project === null && [...stale].some((entry) => entry.startsWith(`${String(kind)} `));
}
