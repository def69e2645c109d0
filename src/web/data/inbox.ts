import {
  infiniteQueryOptions,
  type InfiniteData,
  type QueryClient,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import type { Notification } from "../../shared/notifications.ts";
import { api, messageOf, reach, read, withQuery } from "../api/client.ts";
import { unreadQuery } from "./unread.ts";
import { toast } from "../kit/toast.tsx";
import { nextLink } from "../api/link-header.ts";
import type { Mark } from "./pending-marks.ts";

/** `unread`: only those. Types and projects as the API names them. */
export type InboxFilters = {
  unread?: boolean | undefined;
  type?: string | undefined;
  project_id?: string | undefined;
};

type InboxPage = { entries: Notification[]; next: string | undefined };
type Pages = InfiniteData<InboxPage, string | undefined>;

const LISTS = ["notification", null, "list"] as const;
const PAGE = 100;

/** Page after page, newest first; the address of the next one comes with each. */
export const inboxQuery = (filters: InboxFilters) =>
  infiniteQueryOptions({
    queryKey: [...LISTS, filters],
    queryFn: ({ pageParam, signal }) =>
      readPage(pageParam ?? withQuery("/api/notifications", { limit: PAGE, ...filters }), signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });

/** The list is a plain array; where it goes on is in a header. */
async function readPage(path: string, signal: AbortSignal): Promise<InboxPage> {
  const answer = await reach(path, { signal, headers: { accept: "application/json" } });
  return {
    entries: await read<Notification[]>(path, answer),
    next: nextLink(answer.headers.get("link")),
  };
}

/** What the server has taken, in everything that is known of the inbox. */
export async function keepMark(client: QueryClient, ids: readonly number[], mark: Mark): Promise<void> {
  await client.cancelQueries({ queryKey: ["notification"] });
  const changed = new Set(ids);
  const now = new Date().toISOString();
  const wasUnread = new Set<number>();
  const wasRead = new Set<number>();
  change(client, (entry) => {
    if (!changed.has(entry.id)) return entry;
    (entry.read_at === null ? wasUnread : wasRead).add(entry.id);
    if (mark === "gone") return undefined;
    return { ...entry, read_at: mark === "unread" ? null : (entry.read_at ?? now) };
  });
  const by = mark === "unread" ? wasRead.size : -wasUnread.size;
  client.setQueryData(unreadQuery.queryKey, (count) =>
    count === undefined ? undefined : Math.max(0, count + by),
  );
}

/** Everything, also what is on pages that are not loaded. Shown at once; a refusal puts it back. */
export function useReadAll(sendFirst: () => Promise<void>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      await sendFirst();
      await api.post("/api/notifications/read-all");
    },
    onMutate: async () => {
      await client.cancelQueries({ queryKey: ["notification"] });
      const before = client.getQueriesData({ queryKey: ["notification"] });
      const now = new Date().toISOString();
      change(client, (entry) => ({ ...entry, read_at: entry.read_at ?? now }));
      client.setQueryData(unreadQuery.queryKey, 0);
      return before;
    },
    onError: (error, _nothing, before) => {
      for (const [key, data] of before ?? []) client.setQueryData(key, data);
      toast({ title: "Nothing was marked as read.", description: messageOf(error), tone: "danger" });
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["notification"] }),
  });
}

function change(client: QueryClient, to: (entry: Notification) => Notification | undefined) {
  client.setQueriesData<Pages>(
    { queryKey: LISTS },
    (all) =>
      all && {
        ...all,
        pages: all.pages.map((page) => ({
          ...page,
          entries: page.entries.map(to).filter((entry) => entry !== undefined),
        })),
      },
  );
}
