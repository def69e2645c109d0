import type { Notification } from "../../shared/notifications.ts";
import type { Pending } from "../data/inbox/pending-marks.ts";
import { type Group, groupOf } from "./groups.ts";
import { withMarks } from "./listed-entries.ts";

/** The group that has an entry. */
export const groupWith = (groups: readonly Group[], entryId: number | null): Group | undefined =>
  groups.find((group) => hasEntry(group, entryId));

/**
 * The open group, with the marks of its entries. One that was read elsewhere leaves the list of unread ones but stays open:
 * `last` is the group that was listed and open last.
 */
export function openGroup(
  listed: Group | undefined,
  last: Group | undefined,
  { opened, marks }: { opened: number | null; marks: Pending },
): Group | undefined {
  if (listed !== undefined) return listed;
  return last !== undefined && hasEntry(last, opened) ? groupWithMarks(last, marks) : undefined;
}

/** The entry of the open group that the address names; the newest one if it is gone. */
export const openEntry = (group: Group | undefined, opened: number | null): Notification | undefined =>
  group?.entries.find(({ id }) => id === opened) ?? group?.entries[0];

const hasEntry = (group: Group, entryId: number | null) => group.entries.some(({ id }) => id === entryId);

function groupWithMarks(group: Group, marks: Pending): Group | undefined {
  const [first, ...rest] = withMarks(group.entries, marks);
  return first && groupOf([first, ...rest]);
}
