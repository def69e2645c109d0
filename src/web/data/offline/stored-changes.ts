import type { QueryClient } from "@tanstack/react-query";
import { inLocal } from "../../state/local-database.ts";
import { stored } from "../../state/stored.ts";
import { type QueuedChange, queuedChanges } from "./queued-changes.ts";
import { refetchChanged } from "./show-queued.ts";

const STORE = "changes";

/** Stores a change and returns its id. Rejects if the browser has no database for the page. */
export async function addChange(change: Omit<QueuedChange, "id">): Promise<number> {
  const id = await inLocal([STORE], "readwrite", (transaction) => transaction.objectStore(STORE).add(change));
  const added = { ...change, id: Number(id) };
  queuedChanges.set([...queuedChanges.get(), added]);
  tellTabs();
  return added.id;
}

/** Replaces changes that have their ids. */
export async function replaceChanges(changes: readonly QueuedChange[]): Promise<void> {
  if (changes.length === 0) return;
  await inLocal([STORE], "readwrite", (transaction) => {
    for (const change of changes) transaction.objectStore(STORE).put(change);
    return undefined;
  });
  const byId = new Map(changes.map((change) => [change.id, change]));
  queuedChanges.set(queuedChanges.get().map((change) => byId.get(change.id) ?? change));
  tellTabs();
}

/** Removes a change; `onRemoved` runs before the page shows that it is gone. */
export async function removeChange({ id }: Pick<QueuedChange, "id">, onRemoved = () => {}): Promise<void> {
  await inLocal([STORE], "readwrite", (transaction) => {
    transaction.objectStore(STORE).delete(id);
    return undefined;
  });
  onRemoved();
  queuedChanges.set(queuedChanges.get().filter((change) => change.id !== id));
  tellTabs();
}

/**
 * Takes a change back, and replaces later ones. For the page this happens at once, so that none of them is sent while the database
 * works.
 */
export async function takeBack({ id }: QueuedChange, later: readonly QueuedChange[]): Promise<void> {
  const byId = new Map(later.map((change) => [change.id, change]));
  const others = queuedChanges.get().filter((change) => change.id !== id);
  queuedChanges.set(others.map((change) => byId.get(change.id) ?? change));
  await inLocal([STORE], "readwrite", (transaction) => {
    const changes = transaction.objectStore(STORE);
    changes.delete(id);
    for (const change of later) changes.put(change);
    return undefined;
  });
  tellTabs();
}

const reads = new Set<Promise<void>>();

/** Resolves once the reads in flight have ended; undefined if there are none. */
export const untilRead = (): Promise<unknown> | undefined =>
  reads.size === 0 ? undefined : Promise.allSettled(reads);

/** Reads the person's changes anew, and deletes those of anybody else. Refetches what other tabs have sent meanwhile. */
export async function readChanges(client: QueryClient, userId: number): Promise<void> {
  const read = readStored(client, userId);
  reads.add(read);
  try {
    await read;
  } finally {
    reads.delete(read);
  }
}

async function readStored(client: QueryClient, userId: number): Promise<void> {
  const rows = await inLocal<QueuedChange[]>([STORE], "readonly", (transaction) =>
    transaction.objectStore(STORE).getAll(),
  );
  const kept = (rows ?? []).filter(({ user_id }) => user_id === userId);
  for (const row of rows ?? []) if (!kept.includes(row)) await removeChange(row);
  const ids = new Set(kept.map(({ id }) => id));
  const gone = queuedChanges.get().filter(({ id }) => !ids.has(id));
  queuedChanges.set(kept);
  for (const { shows } of gone) refetchChanged(client, shows);
}

/** Other tabs learn of a change by the event that storage sends them. */
const changed = stored("queued-changes", (value) => (typeof value === "string" ? value : undefined), "");

const tellTabs = () => changed.write(String(Math.random()));

/** Calls `listener` when another tab has changed the stored changes. Returns a function that stops this. */
export function onOtherTab(listener: () => void): () => void {
  const listen = ({ key }: StorageEvent) => key === "queued-changes" && listener();
  addEventListener("storage", listen);
  return () => removeEventListener("storage", listen);
}
