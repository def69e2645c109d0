import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import type { Notification } from "../../shared/notifications.ts";
import { given } from "../page/search-params.ts";
import { useQueue } from "../lists/use-queue.ts";
import { announce } from "../kit/live-region.tsx";
import { marked, pendingMarks } from "../data/pending-marks.ts";
import { inboxQuery, useReadAll } from "../data/inbox.ts";
import { mark, remove, sendNow, sendOnLeaving } from "../data/send-marks.ts";
import { useArrivals } from "./use-arrivals.ts";
import { useStore } from "../state/store.ts";

/** What the inbox shows, where one is in it, and what can be done with its entries. */
export function useInbox() {
  const { filter, type, project, item } = useSearch({ from: "/app/notifications" });
  const all = filter === "all";
  const navigate = useNavigate();
  const client = useQueryClient();
  useEffect(() => sendOnLeaving(client), [client]);

  const query = useInfiniteQuery(inboxQuery({ ...(all ? {} : { unread: true }), type, project_id: project }));
  const marks = useStore(pendingMarks);
  const entries = useMemo(() => {
    const loaded = query.data?.pages.flatMap((page) => page.entries).map((entry) => marked(entry, marks));
    return loaded?.filter((entry) => entry !== undefined && (all || entry.read_at === null)) as
      | Notification[]
      | undefined;
  }, [query.data, marks, all]);
  const arrivals = useArrivals(entries, `${filter} ${type} ${project}`);
  const shown = arrivals.shown;

  const go = (search: { filter?: string; type?: string; project?: string; item?: string }) =>
    void navigate({ to: "/notifications", search, replace: true });
  const filters = given({ filter: all ? "all" : undefined, type, project });
  const show = (id: number | undefined) => go({ ...filters, ...given({ item: id?.toString() }) });
  const place = useQueue({
    rows: shown,
    opened: item,
    show,
    standIns: { open: "inbox-item", empty: "inbox-empty" },
  });
  const { list, active, activeIndex, openIndex, ticked, setFocused, focusSoon, leave } = place;
  const selection = shown.filter(({ id }) => ticked.has(id));

  // An entry that was read elsewhere leaves the list of the unread, but not from under the eyes of who reads it.
  const [kept, setKept] = useState<Notification>();
  const opened = openIndex === -1 ? undefined : shown[openIndex];
  if (opened !== undefined && opened !== kept) setKept(opened);
  const openEntry =
    opened ?? (kept !== undefined && String(kept.id) === item ? marked(kept, marks) : undefined);

  const idsOf = (list_: readonly Notification[]) => list_.map(({ id }) => id);
  const readAll = useReadAll(() => sendNow(client));

  return {
    all,
    type,
    project,
    filters,
    query,
    entries,
    shown,
    arrivals,
    list,
    item,
    openEntry,
    active,
    activeIndex,
    selection,
    ticked,
    go,
    setFocused,
    show,
    step: (by: number) =>
      place.goTo(shown[item !== undefined && openIndex === -1 ? activeIndex : activeIndex + by]),
    close: () => place.close(openEntry?.id),
    tick: place.tick,
    untick: place.untick,
    markRead: (targets: readonly Notification[]) => {
      mark(client, targets, "read");
      announce(targets.length === 1 ? "Marked as read" : `${targets.length} marked as read`);
      leave(idsOf(targets), all);
    },
    /** The target was followed; the list is left anyway. */
    follow: (entry: Notification) => {
      if (entry.read_at === null) mark(client, [entry], "read");
    },
    markUnread: (targets: readonly Notification[]) => {
      mark(client, targets, "unread");
      announce(targets.length === 1 ? "Marked as unread" : `${targets.length} marked as unread`);
      place.untick();
    },
    remove: (targets: readonly Notification[]) => {
      const [first] = targets;
      const message =
        targets.length === 1 && first
          ? `Deleted: ${first.message}`
          : `${targets.length} notifications deleted`;
      remove(client, targets, message, () => focusSoon(first?.id));
      leave(idsOf(targets));
    },
    readAll: () => {
      arrivals.take();
      readAll.mutate();
      place.untick();
      if (!all && item !== undefined) show(undefined);
      if (all) focusSoon(active?.id);
      else focusSoon(undefined, ({ rows, opened: open }) => rows.length === 0 && open === undefined);
    },
  };
}

export type Inbox = ReturnType<typeof useInbox>;
