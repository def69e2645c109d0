import { sql } from "kysely";
import type { z } from "zod";
import type { Import, importChanges } from "../../../../../shared/imports.ts";
import { usersWhere } from "../../../../access/access-queries.ts";
import { invalid, refused } from "../../../../answers/errors.ts";
import type { Db, Tx } from "../../../../db/connect.ts";
import { recordAudit } from "../../../../record/audit.ts";
import { readImport } from "./read-imports.ts";

type ImportRef = { projectId: number; importId: number };

/**
 * Changes how a file is read, and checks it again. 422 if it has been started, and on `people.NAME` if that user cannot access the
 * project.
 */
export async function changeImport(
  db: Db,
  { projectId, importId }: ImportRef,
  { map, people, from }: z.output<typeof importChanges>,
): Promise<Import> {
  return db.transaction().execute(async (tx) => {
    const before = await lockImport(tx, { projectId, importId });
    requireNotStarted(before);
    if (people) await requireMembers(tx, projectId, people);
    await sql`
      update imports set map = ${JSON.stringify(map ?? before.map)}, people = ${JSON.stringify(people ?? before.people)},
        from_project = ${from === undefined ? before.from : from}, state = 'checking', counts = null, error = null,
        unmatched = '{}', left_out = '[]', notes = '[]', leased_until = null, revision = revision + 1
      where id = ${importId}`.execute(tx);
    await recordAudit(tx, {
      kind: "import.changed",
      project_id: projectId,
      subject: { type: "import", id: importId, name: before.filename },
      details: { map: map !== undefined, people: people !== undefined, from: from !== undefined },
    });
    return readImport(tx, projectId, importId);
  });
}

/** Lets a job import a file that has been checked. 422 unless it has been, without an error, and its file is still there. */
export async function startImport(db: Db, { projectId, importId }: ImportRef): Promise<Import> {
  return db.transaction().execute(async (tx) => {
    const { state, error, kind, filename } = await lockImport(tx, { projectId, importId });
    requireNotStarted({ state });
    if (state === "checking") throw refused("The file is still being checked.");
    if (error !== null) throw refused(`The file cannot be imported: ${error}`);
    const { rows } = await sql`select from import_files where import_id = ${importId}`.execute(tx);
    if (rows.length === 0) throw refused("The file was deleted, because it was a day old. Upload it again.");
    await sql`
      update imports set state = 'importing', started_at = clock_timestamp(), counts = null, leased_until = null
      where id = ${importId}`.execute(tx);
    await recordAudit(tx, {
      kind: "import.started",
      project_id: projectId,
      subject: { type: "import", id: importId, name: filename },
      details: { kind },
    });
    return readImport(tx, projectId, importId);
  });
}

/** 404 if the project has no such import. Locks it until the transaction ends. */
async function lockImport(tx: Tx, { projectId, importId }: ImportRef): Promise<Import> {
  await sql`select from imports where project_id = ${projectId} and id = ${importId} for update`.execute(tx);
  return readImport(tx, projectId, importId);
}

function requireNotStarted({ state }: Pick<Import, "state">): void {
  if (state === "importing" || state === "done") throw refused("The import has been started already.");
}

async function requireMembers(tx: Tx, projectId: number, people: Record<string, number>): Promise<void> {
  const { rows } = await sql<{ user_id: number }>`${usersWhere({ id: projectId })}`.execute(tx);
  const members = new Set(rows.map((row) => row.user_id));
  const strangers = Object.entries(people).filter(([, id]) => !members.has(id));
  if (strangers.length > 0)
    throw invalid(
      Object.fromEntries(strangers.map(([name]) => [`people.${name}`, ["cannot access the project"]])),
    );
}
