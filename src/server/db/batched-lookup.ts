import { Batcher } from "./batcher.ts";
import { outsideTransaction } from "./request-transaction.ts";

/** One statement. Larger ones save little. */
const MAX_ITEMS = 500;

/** With a thousand senders, statements that start at once would hold one or two items each. */
export const GATHER_MS = 10;

/**
 * A look-up that callers make one by one, and that reads what all of them wait for in one statement. It keeps one connection
 * busy at most, and does not see what the transaction of a request has changed.
 *
 * `readAll` returns one value for each item, in the same order. If it fails, each of its callers gets the error.
 */
export function batchedLookup<Item, Value>(
  readAll: (items: Item[]) => Promise<Value[]>,
): (item: Item) => Promise<Value> {
  const batcher = new Batcher<Item, Value>((items) => outsideTransaction(() => readAll(items)), {
    atOnce: 1,
    gatherMs: GATHER_MS,
    maxItems: MAX_ITEMS,
    maxWeight: Infinity,
    weigh: () => 0,
  });
  return (item) => batcher.add(item);
}
