import { infiniteQueryOptions, type QueryClient } from "@tanstack/react-query";
import type { Notification } from "../../shared/notifications.ts";
import { api, fetchResponse, readResponse, withQuery } from "../api/client.ts";
import { nextLink } from "../api/link-header.ts";
import { entitiesIn, queriesOf } from "./cached-copies.ts";
import { patchEverywhere, removeEverywhere } from "./patch-everywhere.ts";
import type { Mark } from "./pending-marks.ts";
import { unreadQuery } from "./unread.ts";
import { useOptimistic } from "./use-optimistic.ts";

/** Filters of the API; `unread` shows only unread entries. */
export type InboxFilters = {
  unread?: boolean | undefined;
  type?: string | undefined;
  project_id?: string | undefined;
};

type InboxPage = { data: Notification[]; next: string | undefined };

const PAGE = 100;

/** Newest first, in pages; each page has the address of the next one. */
export const inboxQuery = (filters: InboxFilters) =>
  infiniteQueryOptions({
    queryKey: ["notification", null, "list", filters],
    queryFn: ({ pageParam, signal }) =>
      readPage(pageParam ?? withQuery("/api/notifications", { limit: PAGE, ...filters }), signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });

/** The response is a plain array; the next page is in its Link header. */
async function readPage(path: string, signal: AbortSignal): Promise<InboxPage> {
  const response = await fetchResponse(path, { signal, headers: { accept: "application/json" } });
  return {
    data: await readResponse<Notification[]>(path, response),
    next: nextLink(response.headers.get("link")),
  };
}

/** Applies to the cache what the server has done to entries. */
export async function keepMark(client: QueryClient, ids: readonly number[], mark: Mark): Promise<void> {
  await client.cancelQueries({ queryKey: ["notification"] });
  const marked = new Set(ids);
  const entries = cachedEntries(client).filter(({ id }) => marked.has(id));
  const unread = entries.filter(({ read_at }) => read_at === null).length;
  const unreadBy = mark === "unread" ? entries.length - unread : -unread;
  if (mark === "gone") for (const { id } of entries) removeEverywhere(client, "notification", id);
  else {
    const now = new Date().toISOString();
    patchEverywhere(client, "notification", marked, ({ read_at }) => ({
      read_at: mark === "unread" ? null : (read_at ?? now),
    }));
  }
  client.setQueryData(unreadQuery.queryKey, (count) =>
    count === undefined ? undefined : Math.max(0, count + unreadBy),
  );
}

/** Marks everything as read, on the server also the pages that are not loaded. */
export function useReadAll(sendFirst: () => Promise<void>) {
  const { queryKey } = unreadQuery;
  return useOptimistic<void>({
    key: ["notification"],
    send: async () => {
      await sendFirst();
      await api.post("/api/notifications/read-all");
    },
    patch: (client) => {
      const now = new Date().toISOString();
      const ids = new Set(cachedEntries(client).map(({ id }) => id));
      const undo = patchEverywhere(client, "notification", ids, ({ read_at }) => ({
        read_at: read_at ?? now,
      }));
      const before = client.getQueryData(queryKey);
      client.setQueryData(queryKey, 0);
      return () => {
        undo();
        client.setQueryData(queryKey, before);
      };
    },
    failed: "Nothing was marked as read",
  });
}

/** Each entry once, though several filters may show it. */
const cachedEntries = (client: QueryClient): Notification[] => [
  ...new Map(
    queriesOf(client, "notification")
      .flatMap((query) => entitiesIn<"notification">(query))
      .map((entry) => [entry.id, entry]),
  ).values(),
];
