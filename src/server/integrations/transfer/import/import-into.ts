import type { Db } from "../../../db/connect.ts";
import type { ImportItem, ImportNote, LeftOut } from "./item.ts";
import { readPeople, type Addresses } from "./people.ts";
import type { ImportTarget } from "./import-target.ts";
import { runImport, type ImportCounts, type ImportOptions } from "./run-import.ts";

type Import = Omit<ImportTarget, "people"> &
  ImportOptions & { items: AsyncIterable<ImportItem | LeftOut | ImportNote>; addresses: Addresses };

type ImportResult = { counts: ImportCounts; unmatched: ReadonlyMap<string, number> };

/** Imports into a project, with people found by the addresses of its members. */
export async function importInto(db: Db, { items, addresses, ...rest }: Import): Promise<ImportResult> {
  const people = await readPeople(db, rest.project.id, addresses);
  const counts = await runImport(db, { ...rest, people }, items, rest);
  return { counts, unmatched: people.unmatched };
}
