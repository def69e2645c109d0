import type { Notification, UnreadCounts } from "../../shared/notifications.ts";
import { marked, type Pending } from "../data/inbox/pending-marks.ts";
import { type Group, keyOf } from "./groups.ts";
import type { InboxView } from "./inbox-view.ts";

/** The loaded entries with their pending marks, without those that leave the view when they are read or deleted. */
export const listedEntries = (
  loaded: readonly Notification[],
  marks: Pending,
  all: boolean,
): Notification[] => withMarks(loaded, marks).filter((entry) => all || isUnread(entry));

export const withMarks = (entries: readonly Notification[], marks: Pending): Notification[] =>
  entries.flatMap((entry) => marked(entry, marks) ?? []);

export const isUnread = ({ read_at }: Notification): boolean => read_at === null;

/** The pages that are loaded, and the server's counts of unread entries. */
export type Loaded = {
  /** As fetched, without pending marks. Undefined until the first page has loaded. */
  entries: readonly Notification[] | undefined;
  hasMore: boolean;
  counts: UnreadCounts | undefined;
};

/**
 * How many entries of a group are unread, including those on pages that are not loaded. The server does not count pending
 * marks, so its count is compared with the entries as fetched.
 */
export function unreadIn(group: Group, { entries = [], hasMore, counts }: Loaded): number {
  if (!hasMore) return group.unread;
  const fetched = entries.filter((entry) => isUnread(entry) && keyOf(entry) === group.key).length;
  return group.unread + Math.max(0, (counts?.things[group.key] ?? 0) - fetched);
}

/** The groups with unread entries on pages that are not loaded. */
export const groupsBeyond = (groups: readonly Group[], loaded: Loaded): Group[] =>
  groups.filter((group) => unreadIn(group, loaded) > group.unread);

/** The entries that are not on a loaded page. */
export function notLoaded(
  entries: readonly Notification[],
  { entries: loaded = [] }: Loaded,
): Notification[] {
  const ids = new Set(loaded.map(({ id }) => id));
  return entries.filter(({ id }) => !ids.has(id));
}

/** Whether marking all as read must read further pages from the server. With a filter only the loaded entries are marked. */
export const readsBeyond = (
  { type, project }: Pick<InboxView, "type" | "project">,
  { hasMore }: Pick<Loaded, "hasMore">,
): boolean => hasMore && type === undefined && project === undefined;

/** Says what was deleted. */
export const deletionText = (entries: readonly Notification[]): string =>
  entries.length === 1 ? `Deleted: ${entries[0]?.message}` : `${entries.length} notifications deleted`;
