import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Notification } from "../../shared/notifications.ts";
import { given } from "../page/search-params.ts";
import { countOf } from "../kit/count-text.ts";
import { showFailure } from "../forms/show-failure.ts";
import { useList } from "../lists/use-list.ts";
import { marked, type Pending, pendingMarks } from "../data/inbox/pending-marks.ts";
import { inboxQuery, readUnread, unreadCountsQuery } from "../data/inbox/inbox.ts";
import { mark, markUndoably, remove, sendOnLeaving, snooze } from "../data/inbox/send-marks.ts";
import { type Group, groupEntries, groupOf, keyOf, thingOf } from "./groups.ts";
import { useNewEntries } from "./use-new-entries.ts";
import { useStore } from "../state/store.ts";

/** The entries of the inbox grouped by what they are about, their list, and the actions on them. */
export function useInbox() {
  const { filter, type, project, item } = useSearch({ from: "/app/notifications" });
  const all = filter === "all";
  const snoozed = filter === "snoozed";
  const navigate = useNavigate();
  const client = useQueryClient();
  useEffect(() => sendOnLeaving(client), [client]);

  const view = all ? {} : snoozed ? { snoozed } : { unread: true };
  const query = useInfiniteQuery(inboxQuery({ ...view, type, project_id: project }));
  const marks = useStore(pendingMarks);
  const loaded = useMemo(() => query.data?.pages.flatMap((page) => page.data), [query.data]);
  const entries = useMemo(
    () => loaded && withMarks(loaded, marks).filter((entry) => all || entry.read_at === null),
    [loaded, marks, all],
  );
  const counts = useQuery({ ...unreadCountsQuery, enabled: loaded !== undefined }).data;
  const newEntries = useNewEntries(entries, `${filter} ${type} ${project}`);
  const shown = newEntries.shown;
  const groups = useMemo(() => groupEntries(shown), [shown]);

  const go = (search: { filter?: string; type?: string; project?: string; item?: string }) =>
    void navigate({ to: "/notifications", search, replace: true });
  const filters = given({ filter: all || snoozed ? filter : undefined, type, project });
  const show = (id: number | null) => go({ ...filters, ...given({ item: id?.toString() }) });
  const opened = item === undefined ? null : Number(item);
  const holdsOpened = (group: Group) => group.entries.some(({ id }) => id === opened);
  const listed = groups.find(holdsOpened);
  const list = useList({
    rows: groups,
    opened: listed?.id ?? opened,
    onOpen: show,
    focusFallback: { opened: "inbox-item", empty: "inbox-empty" },
  });
  useFirstOpened(entries && groups[0], opened === null, JSON.stringify(filters), show);

  // A group that was read elsewhere leaves the list of unread ones, but stays open.
  const [kept, setKept] = useState<Group>();
  if (listed !== undefined && listed !== kept) setKept(listed);
  const openGroup =
    listed ?? (kept !== undefined && holdsOpened(kept) ? withMarksIn(kept, marks) : undefined);
  const openEntry = openGroup?.entries.find(({ id }) => id === opened) ?? openGroup?.entries[0];

  /** The unread entries of a group, also those on pages that are not loaded. */
  const unreadOf = (group: Group) =>
    group.unread +
    (query.hasNextPage ? Math.max(0, (counts?.things[group.key] ?? 0) - rawUnread(loaded, group)) : 0);
  /** The unread entries of these groups on pages that are not loaded. */
  const restOf = (targets: readonly Group[]) => {
    const beyond = targets.filter((group) => unreadOf(group) > group.unread);
    if (beyond.length === 0) return undefined;
    const known = new Set(loaded?.map(({ id }) => id));
    return Promise.all(beyond.map((group) => readUnread(thingOf(group.entries[0])))).then((found) =>
      found.flat().filter(({ id }) => !known.has(id)),
    );
  };
  const returnTo = (targets: readonly Group[]) => () => {
    const [first] = targets;
    if (first === undefined) return;
    const isBack = ({ ids }: { ids: readonly number[] }) => ids.includes(first.id);
    list.setCursor(first.id);
    list.focusWhen(isBack);
  };
  const markAll = (targets: readonly Notification[]) => {
    newEntries.show();
    markUndoably(client, targets, "read", { onUndo: returnTo(groups.slice(0, 1)) });
    list.clearSelection();
    if (all) list.focusWhen();
    else list.advancePast(idsOf(groups));
  };
  const hide = (targets: readonly Group[], until: Date | null, verb: string) => {
    const some = entriesOf(targets);
    const what = countOf(some.length, "notification");
    snooze(client, some, until, { message: `${what} ${verb}`, onUndo: returnTo(targets) });
    list.advancePast(idsOf(targets));
  };

  return {
    all,
    snoozed,
    type,
    project,
    filters,
    query,
    entries,
    counts,
    shown,
    groups,
    newEntries,
    list,
    item,
    openGroup,
    openEntry,
    go,
    unreadOf,
    markRead: (targets: readonly Group[]) => {
      markUndoably(client, entriesOf(targets), "read", { onUndo: returnTo(targets), rest: restOf(targets) });
      list.advancePast(idsOf(targets), { stay: all });
    },
    /** Marks an entry as read when its link is followed. */
    follow: (entry: Notification) => {
      if (entry.read_at === null) mark(client, [entry], "read");
    },
    markUnread: (targets: readonly Group[]) => {
      markUndoably(client, entriesOf(targets), "unread", { onUndo: returnTo(targets) });
      list.clearSelection();
    },
    remove: (targets: readonly Group[]) => {
      const some = entriesOf(targets);
      const [first] = some;
      if (first === undefined) return;
      const message =
        some.length === 1 ? `Deleted: ${first.message}` : `${some.length} notifications deleted`;
      remove(client, some, { message, onUndo: returnTo(targets) });
      list.advancePast(idsOf(targets));
    },
    snooze: (targets: readonly Group[], until: Date) => hide(targets, until, "snoozed"),
    /** Ends the snooze. */
    wake: (targets: readonly Group[]) => hide(targets, null, "returned to the inbox"),
    /** Marks every unread entry that matches the filters; without filters also those on pages that are not loaded. */
    readAll: async () => {
      const isWhole = !query.hasNextPage || type !== undefined || project !== undefined;
      try {
        markAll(isWhole ? (entries ?? []).filter(({ read_at }) => read_at === null) : await readUnread());
      } catch (error) {
        showFailure("Notifications could not be marked as read", error);
      }
    },
  };
}

/** Opens the first row of a view when the view has loaded, if there is room beside the list. */
function useFirstOpened(
  first: Group | undefined,
  isNothingOpen: boolean,
  view: string,
  open: (id: number) => void,
) {
  const done = useRef<string>(undefined);
  const latest = useRef(open);
  useEffect(() => {
    latest.current = open;
  });
  useEffect(() => {
    if (first === undefined || done.current === view) return;
    done.current = view;
    if (isNothingOpen && matchMedia(BESIDE).matches) latest.current(first.id);
  }, [first, isNothingOpen, view]);
}

/** Where the list and its open item are side by side. */
const BESIDE = "(min-width: 56.25rem)";

const withMarks = (entries: readonly Notification[], marks: Pending) =>
  entries.flatMap((entry) => marked(entry, marks) ?? []);

function withMarksIn(group: Group, marks: Pending): Group | undefined {
  const [first, ...rest] = withMarks(group.entries, marks);
  return first && groupOf([first, ...rest]);
}

const rawUnread = (loaded: readonly Notification[] | undefined, { key }: Group) =>
  loaded?.filter((entry) => entry.read_at === null && keyOf(entry) === key).length ?? 0;

const idsOf = (groups: readonly Group[]) => groups.map(({ id }) => id);
const entriesOf = (groups: readonly Group[]) => groups.flatMap(({ entries }) => entries);

export type Inbox = ReturnType<typeof useInbox>;
