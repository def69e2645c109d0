import { useQueryClient } from "@tanstack/react-query";
import type { Notification } from "../../shared/notifications.ts";
import { countOf } from "../kit/count-text.ts";
import { showFailure } from "../forms/show-failure.ts";
import { readUnread } from "../data/inbox/inbox.ts";
import { mark, markUndoably, remove, snooze } from "../data/inbox/send-marks.ts";
import type { List } from "../lists/use-list.ts";
import { type Group, thingOf } from "./groups.ts";
import type { InboxView } from "./inbox-view.ts";
import {
  deletionText,
  groupsBeyond,
  isUnread,
  type Loaded,
  notLoaded,
  readsBeyond,
} from "./listed-entries.ts";

type Options = {
  view: InboxView;
  /** All loaded entries of the view. */
  entries: readonly Notification[] | undefined;
  loaded: Loaded;
  /** The groups in the list. */
  groups: readonly Group[];
  list: List<Group>;
  /** Shows the entries that are held back. */
  showNew: () => void;
};

/** What keys, menus and buttons do with the entries of the inbox. Focus and what is open go on to the next group. */
export function useInboxActions({ view, entries = [], loaded, groups, list, showNew }: Options) {
  const client = useQueryClient();
  const returnTo = (targets: readonly Group[]) => () => {
    const [first] = targets;
    if (first === undefined) return;
    list.setCursor(first.id);
    list.focusWhen(({ ids }) => ids.includes(first.id));
  };
  const hide = (targets: readonly Group[], until: Date | null, verb: string) => {
    const hidden = entriesOf(targets);
    const what = countOf(hidden.length, "notification");
    snooze(client, hidden, until, { message: `${what} ${verb}`, onUndo: returnTo(targets) });
    list.advancePast(idsOf(targets));
  };
  return {
    markRead: (targets: readonly Group[]) => {
      const onUndo = returnTo(targets);
      markUndoably(client, entriesOf(targets), "read", { onUndo, rest: readBeyond(targets, loaded) });
      list.advancePast(idsOf(targets), { stay: view.all });
    },
    /** Marks an entry as read when its link is followed. */
    follow: (entry: Notification) => {
      if (isUnread(entry)) mark(client, [entry], "read");
    },
    markUnread: (targets: readonly Group[]) => {
      markUndoably(client, entriesOf(targets), "unread", { onUndo: returnTo(targets) });
      list.clearSelection();
    },
    remove: (targets: readonly Group[]) => {
      const removed = entriesOf(targets);
      if (removed.length === 0) return;
      remove(client, removed, { message: deletionText(removed), onUndo: returnTo(targets) });
      list.advancePast(idsOf(targets));
    },
    snooze: (targets: readonly Group[], until: Date) => hide(targets, until, "snoozed"),
    /** Ends the snooze. */
    wake: (targets: readonly Group[]) => hide(targets, null, "returned to the inbox"),
    /** Marks every unread entry that matches the filters; without filters also those on pages that are not loaded. */
    readAll: async () => {
      try {
        const unread = readsBeyond(view, loaded) ? await readUnread() : entries.filter(isUnread);
        showNew();
        markUndoably(client, unread, "read", { onUndo: returnTo(groups.slice(0, 1)) });
        list.clearSelection();
        if (view.all) list.focusWhen();
        else list.advancePast(idsOf(groups));
      } catch (error) {
        showFailure("Notifications could not be marked as read", error);
      }
    },
  };
}

/** The unread entries of these groups on pages that are not loaded. */
function readBeyond(targets: readonly Group[], loaded: Loaded): Promise<Notification[]> | undefined {
  const beyond = groupsBeyond(targets, loaded);
  if (beyond.length === 0) return undefined;
  return Promise.all(beyond.map((group) => readUnread(thingOf(group.entries[0])))).then((found) =>
    notLoaded(found.flat(), loaded),
  );
}

const idsOf = (groups: readonly Group[]) => groups.map(({ id }) => id);
const entriesOf = (groups: readonly Group[]) => groups.flatMap(({ entries }) => entries);
