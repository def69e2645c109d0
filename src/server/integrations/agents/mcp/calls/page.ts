import type { Call } from "./call.ts";
import { countFitting, writeEntries, type Entry } from "./write-list.ts";

/** A page of a list of the API. */
export type Page<Item> = { data: Item[]; next: string | null };

type Paged<Item> = {
  nouns: string;
  limit: number;
  cursor: string | undefined;
  /** The most entries that the list returns at once. */
  most: number;
  read: (page: { limit: number; cursor: string | undefined }) => Promise<Page<Item>>;
  entriesOf: (items: Item[]) => Promise<Entry[]> | Entry[];
  /** The number of all entries, if it is known without counting them. */
  total?: number;
};

/** The part of a page that fits into the budget, as text, and the cursor of what follows. */
export async function writePage<Item>(
  { budget }: Call,
  { nouns, limit, cursor, most, read, entriesOf, total }: Paged<Item>,
): Promise<{ text: string; items: Item[]; next: string | null }> {
  const { data, next: afterPage } = await read({ limit, cursor });
  if (data.length === 0) return { text: `No ${nouns} found.\n`, items: [], next: null };
  const entries = await entriesOf(data);
  const count = countFitting(entries, budget);
  // The cursor that follows the last entry shown is that of a page of this length.
  const next = count === data.length ? afterPage : (await read({ limit: count, cursor })).next;
  const text = writeEntries(entries.slice(0, count), budget);
  const items = data.slice(0, count);
  if (next === null) return { text: `${text}\n`, items, next };
  const note = `Showing ${count} of ${total ?? (await countAll(most, read))}. Next: cursor ${JSON.stringify(next)}`;
  return { text: `${text}\n\n${note}\n`, items, next };
}

async function countAll<Item>(most: number, read: Paged<Item>["read"]): Promise<string> {
  const { data, next } = await read({ limit: most, cursor: undefined });
  return next === null ? String(data.length) : `more than ${data.length}`;
}
