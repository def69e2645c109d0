import { retryInOutage } from "../../../db/retry-in-outage.ts";
import type { Db } from "../../../db/connect.ts";
import { fitItem } from "./fit-item.ts";
import { ImportError, type ImportItem, type ImportNote, type LeftOut } from "./item.ts";
import type { ImportTarget } from "./import-target.ts";
import type { People } from "./people.ts";
import { planBatch, type Batch, type Plan } from "./plan-batch.ts";
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
  maxObjects?: number;
  onLeftOut?: (row: LeftOut) => void;
  onNote?: (note: ImportNote) => void;
  /** After each batch. */
  onProgress?: (counts: Readonly<ImportCounts>) => void | Promise<void>;
};

/** Objects per transaction. A batch also ends when its texts have this many characters. */
const BATCH_ITEMS = 100;
const BATCH_CHARACTERS = 4_000_000;

/** Their ids are kept in memory (130 MiB for a million), so that an object that comes twice counts once in a dry run, too. */
const MAX_OBJECTS = 500_000;

const OUTAGE_MS = 60_000;

/**
 * Imports what a source yields, in batches of 100 objects, each in one transaction: an import that was interrupted can be
 * repeated, and creates what is missing. A dry run counts the same, because it differs only in not writing. Nobody is
 * notified of anything. Throws ImportError if the source has too many objects.
 */
export async function runImport(
  db: Db,
  target: ImportTarget,
  source: AsyncIterable<ImportItem | LeftOut | ImportNote>,
  { isDryRun, signal, maxObjects = MAX_OBJECTS, onLeftOut, onNote, onProgress }: ImportOptions,
): Promise<ImportCounts> {
  const counts = { issues: 0, reports: 0, error_groups: 0, comments: 0, already_there: 0, left_out: 0 };
  const seen = new Set<string>();
  const leaveOut = (row: LeftOut) => {
    counts.left_out++;
    onLeftOut?.(row);
  };
  for await (const items of batchesOf(source, target.people, { signal, maxObjects, leaveOut, onNote })) {
    const plan = await storeBatch(db, target, { items, seen }, { isDryRun, signal });
    for (const id of plan.ids) seen.add(id);
    // Otherwise they are in the database.
    if (isDryRun) for (const group of plan.newGroups) seen.add(group);
    for (const row of plan.leftOut) leaveOut(row);
    countPeople(target.people, plan);
    for (const { item } of plan.created) counts[COUNTED[item.item]]++;
    counts.comments += plan.commentCount;
    counts.already_there += plan.alreadyThere;
    await onProgress?.(counts);
  }
  return counts;
}

async function storeBatch(
  db: Db,
  target: ImportTarget,
  batch: Batch,
  { isDryRun, signal }: Pick<ImportOptions, "isDryRun" | "signal">,
): Promise<Plan> {
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
  return plan;
}

type Reading = {
  signal: AbortSignal;
  maxObjects: number;
  onNote: ImportOptions["onNote"];
  leaveOut: (row: LeftOut) => void;
};

/** The source's objects within the limits of the API. */
async function* batchesOf(
  source: AsyncIterable<ImportItem | LeftOut | ImportNote>,
  people: People,
  { signal, maxObjects, leaveOut, onNote }: Reading,
): AsyncGenerator<ImportItem[]> {
  let items: ImportItem[] = [];
  let [objects, characters] = [0, 0];
  for await (const entry of source) {
    signal.throwIfAborted();
    if (entry.item === "left_out") leaveOut(entry);
    else if (entry.item === "note") onNote?.(entry);
    else {
      const fitted = fitItem(entry, people, Date.now());
      if ("reason" in fitted) {
        leaveOut(fitted);
        continue;
      }
      if (++objects > maxObjects) throw tooManyObjects(maxObjects);
      for (const note of fitted.notes) onNote?.(note);
      items.push(fitted.item);
      characters += sizeOf(fitted.item);
      if (items.length < BATCH_ITEMS && characters < BATCH_CHARACTERS) continue;
      yield items;
      [items, characters] = [[], 0];
    }
  }
  if (items.length > 0) yield items;
}

const COUNTED = { issue: "issues", report: "reports", error_group: "error_groups" } as const;

/** Only people of what is imported: a row that is left out needs no account for its author. */
function countPeople(people: People, { created, known }: Plan): void {
  for (const { item } of created) {
    people.count(item.author);
    if (item.item !== "report") people.count(item.assignee);
    for (const { author } of item.comments) people.count(author);
  }
  for (const { comments } of known) for (const { author } of comments) people.count(author);
}

const tooManyObjects = (most: number) =>
  new ImportError(
    `An import has at most ${most.toLocaleString("en")} objects. Divide the source, for example by its dates.`,
  );

function sizeOf(item: ImportItem): number {
  const text = item.item === "error_group" ? item.message : (item.description ?? "");
  return item.comments.reduce((sum, { content }) => sum + content.length, text.length);
}
