import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { given } from "../page/search-params.ts";
import { useList } from "../lists/use-list.ts";
import { type Pending, pendingMarks } from "../data/inbox/pending-marks.ts";
import { inboxQuery, unreadCountsQuery } from "../data/inbox/inbox.ts";
import { sendOnLeaving } from "../data/inbox/send-marks.ts";
import { type Group, groupEntries } from "./groups.ts";
import { type InboxSearch, type InboxView, viewOf } from "./inbox-view.ts";
import { listedEntries, type Loaded, unreadIn } from "./listed-entries.ts";
import { groupWith, openEntry, openGroup } from "./open-group.ts";
import { useFirstOpened } from "./use-first-opened.ts";
import { useInboxActions } from "./use-inbox-actions.ts";
import { useNewEntries } from "./use-new-entries.ts";
import { useStore } from "../state/store.ts";

/** The entries of the inbox grouped by what they are about, their list, and the actions on them. */
export function useInbox() {
  const search = useSearch({ from: "/app/notifications" });
  const view = viewOf(search);
  const { all, snoozed, type, project, filters, opened } = view;
  const navigate = useNavigate();
  const client = useQueryClient();
  useEffect(() => sendOnLeaving(client), [client]);

  const { query, marks, entries, loaded } = useEntries(view);
  const newEntries = useNewEntries(entries, `${search.filter} ${type} ${project}`);
  const shown = newEntries.shown;
  const groups = useMemo(() => groupEntries(shown), [shown]);

  const go = (to: InboxSearch) => void navigate({ to: "/notifications", search: to, replace: true });
  const show = (id: number | null) => go({ ...filters, ...given({ item: id?.toString() }) });
  const listed = groupWith(groups, opened);
  const { opening, stayClosed } = useFirstOpened({
    first: entries && groups[0],
    isNothingOpen: opened === null,
    view: JSON.stringify(filters),
    onOpen: show,
  });
  const list = useList({
    rows: groups,
    opened: listed?.id ?? opened ?? opening,
    onOpen: (id) => {
      if (id === null) stayClosed();
      show(id);
    },
    focusFallback: { opened: "inbox-item", empty: "inbox-empty" },
  });
  const open = useOpenGroup(listed, { opened, marks });

  return {
    all,
    snoozed,
    type,
    project,
    filters,
    query,
    entries,
    counts: loaded.counts,
    shown,
    groups,
    newEntries,
    list,
    item: search.item,
    openGroup: open,
    openEntry: openEntry(open, opened),
    go,
    unreadOf: (group: Group) => unreadIn(group, loaded),
    ...useInboxActions({ view, entries, loaded, groups, list, showNew: newEntries.show }),
  };
}

/** The loaded entries of a view, as fetched and with pending marks. */
function useEntries({ all, query: filters }: InboxView) {
  const query = useInfiniteQuery(inboxQuery(filters));
  const marks = useStore(pendingMarks);
  const fetched = useMemo(() => query.data?.pages.flatMap((page) => page.data), [query.data]);
  const entries = useMemo(() => fetched && listedEntries(fetched, marks, all), [fetched, marks, all]);
  const counts = useQuery({ ...unreadCountsQuery, enabled: fetched !== undefined }).data;
  const loaded: Loaded = { entries: fetched, hasMore: query.hasNextPage, counts };
  return { query, marks, entries, loaded };
}

/** The open group, also after it has left the list. */
function useOpenGroup(listed: Group | undefined, shown: { opened: number | null; marks: Pending }) {
  const [last, setLast] = useState<Group>();
  if (listed !== undefined && listed !== last) setLast(listed);
  return openGroup(listed, last, shown);
}

export type Inbox = ReturnType<typeof useInbox>;
