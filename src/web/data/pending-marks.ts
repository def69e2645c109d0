import type { Notification } from "../../shared/notifications.ts";
import { store } from "../state/store.ts";

export type Mark = "read" | "unread" | "gone";

/** `held` can still be undone, `ready` waits to be sent with others; the number is that of the batch it is sent with. */
type State = "held" | "ready" | number;

type Entry = { mark: Mark; wasUnread: boolean; state: State };

export type Pending = ReadonlyMap<number, Entry>;

/** Marks that are sent together. */
export type Batch = { number: number; mark: Mark; ids: number[] };

/** What was done to entries and is not known to the server yet: shown as if it were, whatever is loaded meanwhile. */
export const pendingMarks = store<Pending>(new Map());
let batches = 0;

function change(work: (next: Map<number, Entry>) => void) {
  const next = new Map(pendingMarks.get());
  work(next);
  pendingMarks.set(next);
}

/** The latest mark of an entry is the one that counts. */
export function hold(entries: readonly Notification[], mark: Mark, state: "held" | "ready"): void {
  change((next) => {
    for (const { id, read_at } of entries)
      next.set(id, { mark, wasUnread: pendingMarks.get().get(id)?.wasUnread ?? read_at === null, state });
  });
}

/** What can no longer be undone. */
export function makeReady(ids: readonly number[]): void {
  change((next) => {
    for (const id of ids) {
      const entry = next.get(id);
      if (entry?.state === "held") next.set(id, { ...entry, state: "ready" });
    }
  });
}

/** Everything that is ready, by what is to be done; from now on it is under way. */
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

/** The server has taken some of a batch. What was marked otherwise since keeps its newer mark. */
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

/** Nobody knows what became of a batch, or the server refused it: as the server has it, but for newer marks. */
export function giveUp({ number, ids }: Batch): void {
  release(ids.filter((id) => pendingMarks.get().get(id)?.state === number));
}

/** Undone: as the server has it. */
export function release(ids: readonly number[]): void {
  change((next) => {
    for (const id of ids) next.delete(id);
  });
}

/** The entry as it will be; undefined when it will be gone. */
export function marked(entry: Notification, marks: Pending): Notification | undefined {
  const mark = marks.get(entry.id)?.mark;
  if (mark === "gone") return undefined;
  if (mark === "unread") return entry.read_at === null ? entry : { ...entry, read_at: null };
  if (mark === "read") return entry.read_at === null ? { ...entry, read_at: entry.created_at } : entry;
  return entry;
}

/** By how much the marks change the number of unread entries. */
export function unreadChange(marks: Pending): number {
  let sum = 0;
  for (const { mark, wasUnread } of marks.values()) sum += Number(mark === "unread") - Number(wasUnread);
  return sum;
}
