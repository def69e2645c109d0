import { Batcher } from "../batching/batcher.ts";

/** The most items in one statement. Larger statements save little. */
const MAX_ITEMS = 500;

/** Without this pause, a thousand senders would cause many statements of one or two items. */
export const GATHER_MS = 10;

/**
 * Combines concurrent lookups into one statement. Uses at most one connection.
 *
 * `readAll` returns one value for each item, in the same order. If it fails, each of its callers gets the error.
 */
export function batchedLookup<Item, Value>(
  readAll: (items: Item[]) => Promise<Value[]>,
  gatherMs = GATHER_MS,
): (item: Item) => Promise<Value> {
  const batcher = new Batcher<Item, Value>(readAll, {
    gatherMs,
    maxItems: MAX_ITEMS,
  });
  return (item) => batcher.add(item);
}
