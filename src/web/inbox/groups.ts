import type { Notification } from "../../shared/notifications.ts";

/** The entries about one thing, newest first. */
export type Group = {
  /** The id of the newest entry. */
  id: number;
  /** `issue:12`; an entry that shares its subject with no other entry is a group by itself. */
  key: string;
  entries: readonly [Notification, ...Notification[]];
  /** How many of `entries` are unread; more may be on pages that are not loaded. */
  unread: number;
};

/** The filter of the API that lists the entries about a thing. */
export type ThingFilter = {
  issue_id?: number;
  report_id?: number;
  epic_id?: number;
  error_group_id?: number;
};

/** One group for each thing. The one with the newest activity is first; a snoozed entry that returned is activity. */
export function groupEntries(entries: readonly Notification[]): Group[] {
  const groups = new Map<string, [Notification, ...Notification[]]>();
  for (const entry of entries) {
    const group = groups.get(keyOf(entry));
    if (group) group.push(entry);
    else groups.set(keyOf(entry), [entry]);
  }
  return [...groups.values()]
    .map((group) => ({ group: groupOf(group), at: appearedAt(group) }))
    .sort((a, b) => (a.at === b.at ? 0 : a.at < b.at ? 1 : -1))
    .map(({ group }) => group);
}

export function groupOf(entries: readonly [Notification, ...Notification[]]): Group {
  const [newest] = entries;
  const unread = entries.filter(({ read_at }) => read_at === null).length;
  return { id: newest.id, key: keyOf(newest), entries, unread };
}

export function keyOf(entry: Notification): string {
  const [kind, id] = Object.entries(thingOf(entry) ?? { entry_id: entry.id })[0] as [string, number];
  return `${kind.slice(0, -"_id".length)}:${id}`;
}

/** What an entry is about, if other entries can be about it as well. */
export function thingOf({ notifiable, report_id, epic_id }: Notification): ThingFilter | undefined {
  if (notifiable.type === "issue") return { issue_id: notifiable.id };
  if (notifiable.type === "error_group") return { error_group_id: notifiable.id };
  if (notifiable.type === "report") return { report_id: notifiable.id };
  if (report_id !== null) return { report_id };
  if (epic_id !== null) return { epic_id };
  return undefined;
}

/** Timestamps of the API sort as text. */
function appearedAt(entries: readonly Notification[]): string {
  return entries
    .map(({ created_at, snoozed_until }) =>
      snoozed_until !== null && Date.parse(snoozed_until) <= Date.now() ? snoozed_until : created_at,
    )
    .reduce((a, b) => (a > b ? a : b));
}
