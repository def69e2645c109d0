import type { Query, QueryClient } from "@tanstack/react-query";
import { ApiError } from "../../api/client.ts";
import { BY_TIME, inLocal } from "../../state/local-database.ts";
import { claimCopies } from "./claim-copies.ts";
import { ABOUT, type About, type Copy, currentBuild, isRestored, mayWriteCopies } from "./copies.ts";
import { pruneCopies } from "./prune-copies.ts";

/**
 * The kinds of queries that are kept: what people read. Missing are searches, which nobody opens again by name; tokens, keys,
 * webhooks and other settings with credentials; sessions, invitations and the audit log; and previews of forms.
 */
const KEPT = new Set(
  [
    "profile project workspace people counts saved_view home",
    "issue epic sprint lane label comment issue_template",
    "report report_watch notification",
    "error_group error_watch error_tag kept_event sessions-with-error suspects",
    "release release_marks usage_today monitor",
  ].flatMap((kinds) => kinds.split(" ")),
);

/** Of these kinds, what was typed into a picker, and links that need no session. */
const NOT_KEPT = new Set<unknown>(["find", "status-link"]);

const isKept = ({ queryKey: [kind, , name] }: Query) => KEPT.has(String(kind)) && !NOT_KEPT.has(name);

/** Those that say what the person may read. */
const ACCESS = new Set(["profile", "project"]);

/** Responses are collected for this time, in milliseconds. */
const COLLECTED_MS = 1_000;

/**
 * Keeps copies of what the page reads. Only visible tabs write; a tab that is hidden, but not left, first writes what it has collected.
 * Returns a function that stops this.
 */
export function keepCopies(client: QueryClient, userId: number): () => void {
  const cache = client.getQueryCache();
  const changed = new Set(cache.getAll().map(({ queryHash }) => queryHash));
  const refused = new Set<string>();
  let isAccessNew = true;
  let isFirst = true;
  let written = Number.POSITIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const claim = async () => {
    isAccessNew = false;
    if (await claimCopies(client, userId, isFirst)) isFirst = false;
    else isAccessNew = true;
  };
  const write = async () => {
    if (isAccessNew) await claim();
    // Signing out ends this, also while the database answers.
    if (!mayWriteCopies()) return;
    const queries = takeChanged(client, changed);
    const deleted = [...refused];
    refused.clear();
    written += await writeCopies(userId, queries.map(copyOf), deleted);
    if (written < MAX_BYTES * SLACK) return;
    written = 0;
    await pruneCopies(MAX_BYTES * (1 - SLACK));
  };
  const writeNow = () => {
    clearTimeout(timer);
    timer = undefined;
    if (!mayWriteCopies()) return;
    // What is shown before the server confirms it is not kept.
    if (client.isMutating() > 0) return schedule();
    // Without a database, nothing is kept.
    write().catch(() => {});
  };
  const schedule = () => {
    if (document.visibilityState === "visible") timer ??= setTimeout(writeNow, COLLECTED_MS);
  };

  const stopListening = cache.subscribe((event) => {
    if (event.type !== "updated" || !isKept(event.query)) return;
    const { query, action } = event;
    if (action.type === "success") {
      if (ACCESS.has(String(query.queryKey[0]))) isAccessNew = true;
      refused.delete(query.queryHash);
      changed.add(query.queryHash);
    } else if (action.type === "error" && isRefusal(action.error)) {
      changed.delete(query.queryHash);
      refused.add(query.queryHash);
    } else return;
    schedule();
  });
  let isLeft = false;
  // A page whose database answers while it is in the back/forward cache is dropped from there.
  const leave = () => {
    isLeft = true;
    clearTimeout(timer);
    timer = undefined;
  };
  const change = () => {
    if (document.visibilityState === "visible") schedule();
    else if (!isLeft) writeNow();
  };
  const comeBack = () => {
    isLeft = false;
    schedule();
  };
  addEventListener("pagehide", leave);
  addEventListener("pageshow", comeBack);
  document.addEventListener("visibilitychange", change);
  schedule();
  return () => {
    clearTimeout(timer);
    stopListening();
    removeEventListener("pagehide", leave);
    removeEventListener("pageshow", comeBack);
    document.removeEventListener("visibilitychange", change);
  };
}

/** The most that is kept, in characters of JSON. */
const MAX_BYTES = 50_000_000;

/** The share of it that may be written before the oldest copies are deleted. */
const SLACK = 0.1;

const isRefusal = (error: unknown) =>
  error instanceof ApiError && (error.status === 403 || error.status === 404);

function takeChanged(client: QueryClient, changed: Set<string>): Query[] {
  const queries = [...changed].map((hash) => client.getQueryCache().get(hash));
  changed.clear();
  return queries.filter(
    (query) => query?.state.data !== undefined && isKept(query) && !isRestored(query),
  ) as Query[];
}

function copyOf({ queryHash, state }: Query): Copy {
  const json = JSON.stringify(state.data);
  return {
    hash: queryHash,
    json,
    bytes: json.length,
    updated_at: state.dataUpdatedAt,
    written_at: Date.now(),
  };
}

/**
 * Writes copies, unless the database belongs to someone else by now, or was emptied after they were read. Returns how much
 * was written.
 */
async function writeCopies(userId: number, rows: Copy[], deleted: string[]): Promise<number> {
  if (rows.length + deleted.length === 0) return 0;
  let bytes = 0;
  await inLocal(["about", "copies"], "readwrite", (transaction) => {
    const copies = transaction.objectStore("copies");
    const request: IDBRequest<About | undefined> = transaction.objectStore("about").get(ABOUT);
    request.addEventListener("success", () => {
      const about = request.result;
      if (about?.user_id !== userId || about.build !== currentBuild()) return;
      for (const hash of deleted) copies.delete(hash);
      for (const row of rows.filter(({ updated_at }) => updated_at >= about.since)) {
        putUnlessOlder(copies, row);
        bytes += row.bytes;
      }
    });
    return undefined;
  });
  return bytes;
}

/** Another tab may have read the same later. */
function putUnlessOlder(copies: IDBObjectStore, row: Copy): void {
  const later = IDBKeyRange.bound([row.hash, row.updated_at], [row.hash, Number.POSITIVE_INFINITY], true);
  const newer = copies.index(BY_TIME).getKey(later);
  newer.addEventListener("success", () => {
    if (newer.result === undefined) copies.put(row);
  });
}
