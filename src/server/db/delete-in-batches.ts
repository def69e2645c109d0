/** The most rows that one statement deletes, so that it ends long before the statement timeout. */
export const BATCH_ROWS = 5_000;

export type Batch = { deleted: number; isLast: boolean };

/**
 * Repeats `deleteBatch`, each time in a transaction of its own, so that no lock is held for long. Returns how many rows
 * were deleted in all. Throws when `signal` aborts before the last batch.
 */
export async function deleteInBatches(
  deleteBatch: () => Promise<Batch>,
  signal: AbortSignal | undefined,
): Promise<number> {
  let total = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { deleted, isLast } = await deleteBatch();
    total += deleted;
    if (isLast) return total;
  }
}

/** The result of a statement that deletes at most BATCH_ROWS rows. */
export function batchOf({ numAffectedRows = 0n }: { numAffectedRows?: bigint | undefined }): Batch {
  const deleted = Number(numAffectedRows);
  return { deleted, isLast: deleted < BATCH_ROWS };
}
