import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import type { Notification } from "../../shared/notifications.ts";
import { given } from "../page/search-params.ts";
import { messageOf } from "../api/client.ts";
import { toast } from "../kit/toast.ts";
import { useList } from "../lists/use-list.ts";
import { announce } from "../kit/live-region.ts";
import { marked, pendingMarks } from "../data/pending-marks.ts";
import { inboxQuery, readUnread } from "../data/inbox.ts";
import { mark, markReadUndoably, remove, sendOnLeaving } from "../data/send-marks.ts";
import { useNewEntries } from "./use-new-entries.ts";
import { useStore } from "../state/store.ts";

/** The entries of the inbox, their list, and the actions on them. */
export function useInbox() {
  const { filter, type, project, item } = useSearch({ from: "/app/notifications" });
  const all = filter === "all";
  const navigate = useNavigate();
  const client = useQueryClient();
  useEffect(() => sendOnLeaving(client), [client]);

  const query = useInfiniteQuery(inboxQuery({ ...(all ? {} : { unread: true }), type, project_id: project }));
  const marks = useStore(pendingMarks);
  const entries = useMemo(() => {
    const loaded = query.data?.pages.flatMap((page) => page.data).map((entry) => marked(entry, marks));
    return loaded?.filter((entry) => entry !== undefined && (all || entry.read_at === null)) as
      | Notification[]
      | undefined;
  }, [query.data, marks, all]);
  const newEntries = useNewEntries(entries, `${filter} ${type} ${project}`);
  const shown = newEntries.shown;

  const go = (search: { filter?: string; type?: string; project?: string; item?: string }) =>
    void navigate({ to: "/notifications", search, replace: true });
  const filters = given({ filter: all ? "all" : undefined, type, project });
  const show = (id: number | null) => go({ ...filters, ...given({ item: id?.toString() }) });
  const opened = item === undefined ? null : Number(item);
  const list = useList({
    rows: shown,
    opened,
    onOpen: show,
    focusFallback: { opened: "inbox-item", empty: "inbox-empty" },
  });

  // An entry that was read elsewhere leaves the list of unread ones, but stays open.
  const [kept, setKept] = useState<Notification>();
  const listed = shown.find(({ id }) => id === opened);
  if (listed !== undefined && listed !== kept) setKept(listed);
  const openEntry = listed ?? (kept !== undefined && kept.id === opened ? marked(kept, marks) : undefined);
  const markAll = (targets: readonly Notification[]) => {
    newEntries.show();
    const [first] = targets;
    markReadUndoably(client, targets, () =>
      list.focusWhen(({ ids }) => first !== undefined && ids.includes(first.id)),
    );
    list.clearSelection();
    if (all) list.focusWhen();
    else list.goOn(idsOf(shown));
  };

  return {
    all,
    type,
    project,
    filters,
    query,
    entries,
    shown,
    newEntries,
    list,
    item,
    openEntry,
    go,
    markRead: (targets: readonly Notification[]) => {
      mark(client, targets, "read");
      announce(targets.length === 1 ? "Marked as read" : `${targets.length} marked as read`);
      list.goOn(idsOf(targets), { stay: all });
    },
    /** Marks an entry as read when its link is followed. */
    follow: (entry: Notification) => {
      if (entry.read_at === null) mark(client, [entry], "read");
    },
    markUnread: (targets: readonly Notification[]) => {
      mark(client, targets, "unread");
      announce(targets.length === 1 ? "Marked as unread" : `${targets.length} marked as unread`);
      list.clearSelection();
    },
    remove: (targets: readonly Notification[]) => {
      const [first] = targets;
      if (first === undefined) return;
      const message =
        targets.length === 1 ? `Deleted: ${first.message}` : `${targets.length} notifications deleted`;
      remove(client, targets, message, () => {
        list.setCursor(first.id);
        list.focusWhen(({ ids }) => ids.includes(first.id));
      });
      list.goOn(idsOf(targets));
    },
    /** Marks every unread entry that matches the filters; without filters also those on pages that are not loaded. */
    readAll: async () => {
      const isWhole = !query.hasNextPage || type !== undefined || project !== undefined;
      try {
        markAll(isWhole ? (entries ?? []).filter(({ read_at }) => read_at === null) : await readUnread());
      } catch (error) {
        toast({ title: "Nothing was marked as read.", description: messageOf(error), tone: "danger" });
      }
    },
  };
}

const idsOf = (entries: readonly Notification[]) => entries.map(({ id }) => id);

export type Inbox = ReturnType<typeof useInbox>;
