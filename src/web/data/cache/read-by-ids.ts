import type { Query, QueryClient } from "@tanstack/react-query";
import { api, ApiError, isWriting } from "../../api/client.ts";
import { markChanged } from "../../state/changed-rows.ts";
import { entitiesIn, queriesOf } from "./cached-copies.ts";

/** The server answers up to this many ids at once. */
const MAX_AT_ONCE = 200;

type Row = { id: number; updated_at: string; rank: string };

type Parts<T> = {
  kind: "issue" | "report";
  ids: number[];
  /** Without the ids. */
  path: string;
  rowsOf: (body: never) => T[];
  /** Whether the query is about things of the kind and project. */
  isAbout: (query: Query) => boolean;
  /** Cached lists, which `put` and `drop` bring up to date. */
  lists: Query[];
  put: (row: T) => void;
  /** Removes what was deleted or is no longer readable. */
  drop: (id: number) => void;
  /** Other queries that the changes make stale. */
  isDerived: (query: Query) => boolean;
};

/**
 * Brings changed things up to date in the cache with one request. Makes everything about them stale instead if there are
 * too many, or if none is on screen. Returns how many requests that takes.
 */
export function readByIds<T extends Row>(client: QueryClient, parts: Parts<T>): number {
  const active = client
    .getQueryCache()
    .findAll({ predicate: (query) => query.isActive() && parts.isAbout(query) });
  if (parts.ids.length > MAX_AT_ONCE || active.length === 0) {
    void client.invalidateQueries({ predicate: parts.isAbout });
    return active.length;
  }
  void read(client, parts);
  return 1;
}

async function read<T extends Row>(client: QueryClient, parts: Parts<T>): Promise<void> {
  const { kind, ids, path, rowsOf, isDerived, lists, put, drop } = parts;
  // A list in flight may have been read before the change. It must not arrive later and overwrite the newer row.
  await Promise.allSettled(
    lists.filter(({ state }) => state.fetchStatus === "fetching").map(async ({ promise }) => promise),
  );
  try {
    const body = await api.get<never>(`${path}?ids=${ids.join(",")}&limit=${MAX_AT_ONCE}`);
    const rows = new Map(rowsOf(body).map((row) => [row.id, row]));
    for (const id of ids) {
      const row = rows.get(id);
      if (!row) {
        drop(id);
        continue;
      }
      // During a write, the change may be the write's.
      if (!isWriting() && !isKnown(lists, row)) markChanged(kind, id);
      put(row);
    }
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) ids.forEach(drop);
  }
  // The cached lists are now correct; mark them stale so that the next mount refetches.
  void client.invalidateQueries({ predicate: (query) => lists.includes(query), refetchType: "none" });
  void client.invalidateQueries({ predicate: isDerived });
}

/** Whether a cached list has this version. A move changes only the rank. */
const isKnown = (lists: Query[], { id, updated_at, rank }: Row) =>
  lists.some(({ state }) =>
    (state.data as Row[] | undefined)?.some(
      (row) => row.id === id && row.updated_at === updated_at && row.rank === rank,
    ),
  );

/** Whether a cached list, or the page of the thing, has a newer version: this page may have changed it since it was read. */
export function isOlder(
  client: QueryClient,
  kind: "issue" | "report",
  { id, updated_at }: { id: number; updated_at: string },
): boolean {
  return queriesOf(client, kind).some((query) =>
    entitiesIn<typeof kind>(query).some((copy) => copy.id === id && copy.updated_at > updated_at),
  );
}
