import type { Db } from "../../../db/connect.ts";
import { recordAudit } from "../../../record/audit.ts";
import type { ImportItem, ImportNote, LeftOut } from "./item.ts";
import { readPeople, type Addresses } from "./people.ts";
import { runImport, type ImportCounts, type ImportOptions, type ImportTarget } from "./run-import.ts";

type Import = Omit<ImportTarget, "people"> &
  ImportOptions & { items: AsyncIterable<ImportItem | LeftOut | ImportNote>; addresses: Addresses };

export type ImportResult = { counts: ImportCounts; unmatched: ReadonlyMap<string, number> };

/** Imports into a project. The audit log says so before anything is written, unless it is a dry run. */
export async function importInto(db: Db, { items, addresses, ...rest }: Import): Promise<ImportResult> {
  const people = await readPeople(db, rest.project.id, addresses);
  if (!rest.isDryRun) {
    const { id, key } = rest.project;
    const subject = { type: "project" as const, id, name: key };
    await recordAudit(db, { kind: "import.started", project_id: id, subject, details: { kind: rest.kind } });
  }
  const counts = await runImport(db, { ...rest, people }, items, rest);
  return { counts, unmatched: people.unmatched };
}
