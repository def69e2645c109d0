import { retryInOutage } from "../../../db/retry-in-outage.ts";
import type { Db } from "../../../db/connect.ts";
import { fitItem } from "./fit-item.ts";
import type { ImportItem, ImportNote, LeftOut } from "./item.ts";
import type { ImportTarget } from "./import-target.ts";
import { planBatch, type Plan } from "./plan-batch.ts";
import { writeBatch } from "./write-batch.ts";

export type ImportCounts = {
  issues: number;
  reports: number;
  error_groups: number;
  comments: number;
  already_there: number;
  left_out: number;
};

export type ImportOptions = {
  /** Reads and decides everything, and writes nothing. */
  isDryRun: boolean;
  signal: AbortSignal;
  onLeftOut?: (row: LeftOut) => void;
  onNote?: (note: ImportNote) => void;
  /** After each batch. */
  onProgress?: (counts: Readonly<ImportCounts>) => void | Promise<void>;
};

/** Objects per transaction. A batch also ends when its texts have this many characters. */
const BATCH_ITEMS = 100;
const BATCH_CHARACTERS = 4_000_000;

const OUTAGE_MS = 60_000;

/**
 * Imports what a source yields, in batches of 100 objects, each in one transaction: an import that was interrupted can be
 * repeated, and creates what is missing. A dry run counts the same, because it differs only in not writing. Nobody is
 * notified of anything.
 */
export async function runImport(
  db: Db,
  target: ImportTarget,
  source: AsyncIterable<ImportItem | LeftOut | ImportNote>,
  { isDryRun, signal, onLeftOut, onNote, onProgress }: ImportOptions,
): Promise<ImportCounts> {
  const counts = { issues: 0, reports: 0, error_groups: 0, comments: 0, already_there: 0, left_out: 0 };
  const seen = new Set<string>();
  const leaveOut = (row: LeftOut) => {
    counts.left_out++;
    onLeftOut?.(row);
  };
  const store = async (items: ImportItem[]) => {
    const batch = { items, seen };
    let plan = undefined as Plan | undefined;
    await retryInOutage(
      async () => {
        plan = isDryRun
          ? await planBatch(db, target, batch)
          : await db.transaction().execute((tx) => writeBatch(tx, target, batch));
      },
      OUTAGE_MS,
      signal,
    );
    if (plan === undefined) throw new Error("the batch was not stored");
    for (const key of plan.keys) seen.add(key);
    for (const row of plan.leftOut) leaveOut(row);
    for (const { item } of plan.created) counts[COUNTED[item.item]]++;
    counts.comments += plan.commentCount;
    counts.already_there += plan.alreadyThere;
    await onProgress?.(counts);
  };

  let items: ImportItem[] = [];
  let characters = 0;
  for await (const entry of source) {
    signal.throwIfAborted();
    if (entry.item === "left_out") leaveOut(entry);
    else if (entry.item === "note") onNote?.(entry);
    else {
      const fitted = fitItem(entry, target.people, Date.now());
      if ("reason" in fitted) {
        leaveOut(fitted);
        continue;
      }
      for (const note of fitted.notes) onNote?.(note);
      items.push(fitted.item);
      characters += sizeOf(fitted.item);
      if (items.length < BATCH_ITEMS && characters < BATCH_CHARACTERS) continue;
      await store(items);
      [items, characters] = [[], 0];
    }
  }
  if (items.length > 0) await store(items);
  return counts;
}

const COUNTED = { issue: "issues", report: "reports", error_group: "error_groups" } as const;

function sizeOf(item: ImportItem): number {
  const text = item.item === "error_group" ? item.message : (item.description ?? "");
  return item.comments.reduce((sum, { content }) => sum + content.length, text.length);
}
