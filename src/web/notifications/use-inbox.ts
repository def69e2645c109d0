import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { Notification } from "../../shared/notifications.ts";
import { announce } from "../ui/live-region.tsx";
import type { ListHandle } from "../ui/virtual-list.tsx";
import { marked, pendingMarks, subscribeMarks } from "./pending-marks.ts";
import { inboxQuery, useReadAll } from "./queries.ts";
import { mark, remove, sendNow, sendOnLeaving } from "./send-marks.ts";
import { useArrivals } from "./use-arrivals.ts";

/** What the inbox shows, where one is in it, and what can be done with its entries. */
export function useInbox() {
  const { filter, type, project, item } = useSearch({ from: "/app/notifications" });
  const all = filter === "all";
  const navigate = useNavigate();
  const client = useQueryClient();
  useEffect(() => sendOnLeaving(client), [client]);

  const query = useInfiniteQuery(inboxQuery({ ...(all ? {} : { unread: true }), type, project_id: project }));
  const marks = useSyncExternalStore(subscribeMarks, pendingMarks);
  const entries = useMemo(() => {
    const loaded = query.data?.pages.flatMap((page) => page.entries).map((entry) => marked(entry, marks));
    return loaded?.filter((entry) => entry !== undefined && (all || entry.read_at === null)) as
      | Notification[]
      | undefined;
  }, [query.data, marks, all]);
  const arrivals = useArrivals(entries, `${filter} ${type} ${project}`);
  const shown = arrivals.shown;

  const list = useRef<ListHandle>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const [ticked, setTicked] = useState<ReadonlySet<number>>(NOBODY);
  const [kept, setKept] = useState<Notification>();
  const indexOf = (id: number | null | undefined) => shown.findIndex((entry) => entry.id === id);
  const openIndex = item === undefined ? -1 : indexOf(Number(item));
  const opened = openIndex !== -1 ? shown[openIndex] : undefined;
  const activeIndex = openIndex === -1 ? Math.max(0, indexOf(focused)) : openIndex;
  const active = shown[activeIndex];
  const selection = shown.filter(({ id }) => ticked.has(id));

  // An entry that was read elsewhere leaves the list of the unread, but not from under the eyes of who reads it.
  if (opened !== undefined && opened !== kept) setKept(opened);
  const openEntry =
    opened ?? (kept !== undefined && String(kept.id) === item ? marked(kept, marks) : undefined);

  const latest = useRef({ shown, item });
  useEffect(() => {
    latest.current = { shown, item };
  });

  const go = (search: { filter?: string; type?: string; project?: string; item?: string }) =>
    void navigate({ to: "/notifications", search, replace: true });
  const filters = given({ filter: all ? "all" : undefined, type, project });
  const show = (id: number | undefined) => go({ ...filters, ...given({ item: id?.toString() }) });

  /** When what is under way is drawn; with the list out of sight, the words of what is open get it. */
  const focusSoon = (id: number | undefined) => {
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const index = latest.current.shown.findIndex((entry) => entry.id === id);
        if (index !== -1) list.current?.focusIndex(index);
        requestAnimationFrame(() => {
          if (document.activeElement?.closest("[role=listitem]")) return;
          const fallback = latest.current.item === undefined ? "inbox-empty" : "inbox-item";
          if (index === -1 || !isSeen(`[data-index="${index}"]`))
            document.getElementById(fallback)?.focus({ preventScroll: true });
        });
      }),
    );
  };

  const goTo = (entry: Notification | undefined) => {
    if (entry === undefined) return;
    setFocused(entry.id);
    if (item !== undefined) show(entry.id);
    list.current?.focusIndex(indexOf(entry.id));
  };

  /** On to the one after what was dealt with, or before it. */
  const leave = (ids: readonly number[], stay = false) => {
    const last = Math.max(-1, ...ids.map(indexOf));
    const others = (entry: Notification) => !ids.includes(entry.id);
    const next =
      shown.slice(last + 1).find(others) ??
      (stay ? shown[last] : shown.slice(0, Math.max(0, last)).findLast(others));
    setTicked((before) => new Set([...before].filter((id) => !ids.includes(id))));
    setFocused(next?.id ?? null);
    if (item !== undefined) show(next?.id);
    focusSoon(next?.id);
  };

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
      goTo(shown[item !== undefined && openIndex === -1 ? activeIndex : activeIndex + by]),
    close: () => {
      const id = openEntry?.id ?? active?.id;
      setFocused(id ?? null);
      show(undefined);
      focusSoon(id);
    },
    tick: (id: number) =>
      setTicked((before) => {
        const next = new Set(before);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    untick: () => setTicked(NOBODY),
    tickAll: () => setTicked(new Set(idsOf(shown))),
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
      setTicked(NOBODY);
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
      setTicked(NOBODY);
      if (!all && item !== undefined) show(undefined);
      focusSoon(undefined);
    },
  };
}

export type Inbox = ReturnType<typeof useInbox>;

const NOBODY: ReadonlySet<number> = new Set();

/** Rendered, and not in a list that a narrow screen hides. */
const isSeen = (selector: string) => document.querySelector(selector)?.checkVisibility() ?? false;

/** Without what is empty. */
function given<T extends Record<string, string | undefined>>(search: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value)) as {
    [K in keyof T]?: string;
  };
}
