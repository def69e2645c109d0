import { infiniteQueryOptions, queryOptions, type QueryClient } from "@tanstack/react-query";
import type { Notification, UnreadCounts } from "../../../shared/notifications.ts";
import { api, fetchResponse, readResponse, withQuery } from "../../api/client.ts";
import { sentSession } from "../../api/session-end.ts";
import { nextLink } from "../../api/link-header.ts";
import { entitiesIn, queriesOf } from "../cache/cached-copies.ts";
import { patchEverywhere, removeEverywhere } from "../cache/patch-everywhere.ts";
import { isCounted, type Mark } from "./pending-marks.ts";
import { unreadQuery } from "./unread.ts";

/** Filters of the API; `unread` shows only unread entries, `snoozed` only snoozed ones. */
export type InboxFilters = {
  unread?: boolean | undefined;
  snoozed?: boolean | undefined;
  type?: string | undefined;
  project_id?: string | undefined;
};

type InboxPage = { data: Notification[]; next: string | undefined };

const PAGE = 100;
const MAX_ON_PAGE = 500;

/** Newest first, in pages; each page has the address of the next one. */
export const inboxQuery = (filters: InboxFilters) =>
  infiniteQueryOptions({
    queryKey: ["notification", null, "list", filters],
    queryFn: ({ pageParam, signal }) =>
      readPage(
        pageParam ?? withQuery("/api/notifications", { limit: PAGE, include: "all", ...filters }),
        signal,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });

/** The response is a plain array; the next page is in its Link header. */
async function readPage(path: string, signal?: AbortSignal): Promise<InboxPage> {
  const session = sentSession();
  const response = await fetchResponse(path, {
    ...(signal && { signal }),
    headers: { accept: "application/json" },
  });
  return {
    data: await readResponse<Notification[]>(path, response, session),
    next: nextLink(response.headers.get("link")),
  };
}

/** Applies to the cache what the server has done to entries. */
export async function keepMark(client: QueryClient, ids: readonly number[], mark: Mark): Promise<void> {
  await client.cancelQueries({ queryKey: ["notification"] });
  const marked = new Set(ids);
  const entries = cachedEntries(client).filter(({ id }) => marked.has(id));
  const unread = entries.filter(isCounted).length;
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
  // Entries that are not loaded count as well.
  if (entries.length < marked.size) await client.invalidateQueries({ queryKey: unreadQuery.queryKey });
}

/** The unread entries by type, project and thing. */
export const unreadCountsQuery = queryOptions({
  queryKey: ["notification", null, "counts"],
  queryFn: ({ signal }) => api.get<UnreadCounts>("/api/notifications/unread-counts?include=all", signal),
});

/** All unread entries that match the filters, also those on pages that are not loaded. */
export async function readUnread(filters: object = {}): Promise<Notification[]> {
  const entries: Notification[] = [];
  let path: string | undefined = withQuery("/api/notifications", {
    include: "all",
    ...filters,
    unread: true,
    limit: MAX_ON_PAGE,
  });
  while (path !== undefined) {
    const page: InboxPage = await readPage(path);
    entries.push(...page.data);
    path = page.next;
  }
  return entries;
}

/** Each entry once, though several filters may show it. */
const cachedEntries = (client: QueryClient): Notification[] => [
  ...new Map(
    queriesOf(client, "notification")
      .flatMap((query) => entitiesIn<"notification">(query))
      .map((entry) => [entry.id, entry]),
  ).values(),
];
