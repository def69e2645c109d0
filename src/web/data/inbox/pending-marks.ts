import type { Notification } from "../../../shared/notifications.ts";
import { store } from "../../state/store.ts";

export type Mark = "read" | "unread" | "gone";

/** `held`: can still be undone. `ready`: waits to be sent with others. A number: sent with that batch. */
type State = "held" | "ready" | number;

type Entry = { mark: Mark; wasUnread: boolean; state: State };

export type Pending = ReadonlyMap<number, Entry>;

/** Marks that are sent in one request. */
export type Batch = { number: number; mark: Mark; ids: number[] };

/** Marks that the server has not confirmed yet, by entry. They are shown as done, whatever is fetched meanwhile. */
export const pendingMarks = store<Pending>(new Map());
let batches = 0;

function change(edit: (next: Map<number, Entry>) => void) {
  const next = new Map(pendingMarks.get());
  edit(next);
  pendingMarks.set(next);
}

/** Whether an entry is among the unread ones that are counted: snoozed ones are not. */
export const isCounted = ({ read_at, snoozed_until }: Notification): boolean =>
  read_at === null && !(snoozed_until !== null && Date.parse(snoozed_until) > Date.now());

/** Marks entries. A newer mark of an entry replaces an older one. */
export function hold(entries: readonly Notification[], mark: Mark, state: "held" | "ready"): void {
  change((next) => {
    for (const entry of entries)
      next.set(entry.id, {
        mark,
        wasUnread: pendingMarks.get().get(entry.id)?.wasUnread ?? isCounted(entry),
        state,
      });
  });
}

/** Marks that can no longer be undone may now be sent. */
export function makeReady(ids: readonly number[]): void {
  change((next) => {
    for (const id of ids) {
      const entry = next.get(id);
      if (entry?.state === "held") next.set(id, { ...entry, state: "ready" });
    }
  });
}

/** Groups everything that is ready by mark, and counts it as sent. */
export function takeReady(): Batch[] {
  const taken = new Map<Mark, Batch>();
  change((next) => {
    for (const [id, entry] of next) {
      if (entry.state !== "ready") continue;
      const batch = taken.get(entry.mark) ?? { number: ++batches, mark: entry.mark, ids: [] };
      taken.set(entry.mark, batch);
      batch.ids.push(id);
      next.set(id, { ...entry, state: batch.number });
    }
  });
  return [...taken.values()];
}

/** The server has confirmed entries of a batch. Entries that were marked again since keep their newer mark. */
export function settle({ number, mark, ids }: Batch): void {
  change((next) => {
    for (const id of ids) {
      const entry = next.get(id);
      if (entry === undefined) continue;
      if (entry.state === number || mark === "gone") next.delete(id);
      else next.set(id, { ...entry, wasUnread: mark === "unread" });
    }
  });
}

/** The batch failed, or its outcome is unknown: drops its marks, but not newer ones. */
export function giveUp({ number, ids }: Batch): void {
  release(ids.filter((id) => pendingMarks.get().get(id)?.state === number));
}

/** Drops the marks of entries: the user has undone them. */
export function release(ids: readonly number[]): void {
  change((next) => {
    for (const id of ids) next.delete(id);
  });
}

/** The entry with its pending mark applied; undefined if it will be deleted. */
export function marked(entry: Notification, marks: Pending): Notification | undefined {
  const mark = marks.get(entry.id)?.mark;
  if (mark === "gone") return undefined;
  if (mark === "unread") return entry.read_at === null ? entry : { ...entry, read_at: null };
  if (mark === "read") return entry.read_at === null ? { ...entry, read_at: entry.created_at } : entry;
  return entry;
}

/** How much the pending marks change the number of unread entries. */
export function unreadChange(marks: Pending): number {
  let sum = 0;
  for (const { mark, wasUnread } of marks.values()) sum += Number(mark === "unread") - Number(wasUnread);
  return sum;
}
