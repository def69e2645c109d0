import { BY_AGE, inLocal } from "../../state/local-database.ts";

/** Copies are deleted after this time, in milliseconds. */
const MAX_AGE_MS = 14 * 86_400_000;

/** Deletes copies that are too old, and the oldest of those that exceed the limit. Reads their sizes but not the copies. */
export async function pruneCopies(maxBytes: number, now = Date.now()): Promise<void> {
  await inLocal(["copies"], "readwrite", (transaction) => {
    const copies = transaction.objectStore("copies");
    let sum = 0;
    const newestFirst = copies.index(BY_AGE).openKeyCursor(null, "prev");
    newestFirst.addEventListener("success", () => {
      const cursor = newestFirst.result;
      if (!cursor) return;
      const [writtenAt, bytes] = cursor.key as [number, number];
      sum += bytes;
      if (sum > maxBytes || writtenAt < now - MAX_AGE_MS) copies.delete(cursor.primaryKey);
      cursor.continue();
    });
    return undefined;
  });
}
