import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { sql } from "kysely";
import { MAX_LISTED_ROWS, type Import } from "../../../../../shared/imports.ts";
import { isOutage } from "../../../../answers/outage.ts";
import type { Db } from "../../../../db/connect.ts";
import type { Storage } from "../../../../files/storage/storage.ts";
import { readProjectRules } from "../../../../ingest/project-rules/project-rules.ts";
import type { ProjectRef } from "../../../../work/issues/references.ts";
import { importInto } from "../import-into.ts";
import { ImportError } from "../item.ts";
import { readCsv } from "../read-csv.ts";
import type { ImportCounts } from "../run-import.ts";
import { loadSource } from "../sources/load-source.ts";
import { mapColumns } from "../sources/csv.ts";

type Dependencies = { db: Db; storage: Storage; retentionDays: number };

/** Renewed with each progress. After a crash, another process continues when it ends. */
const LEASE = sql`clock_timestamp() + interval '1 minute'`;
const PROGRESS_MS = 1_000;

/**
 * Checks and imports uploaded files, one at a time, until none is waiting or the signal is aborted. Several processes can call
 * this: each leases the import that it works on. An import that was interrupted is repeated, and creates what is missing.
 */
export async function runImports(dependencies: Dependencies, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const next = await leaseNext(dependencies.db);
    if (next === undefined) return;
    try {
      await finish(dependencies.db, next, await runOne(dependencies, next, signal));
    } catch (error) {
      if (signal.aborted) return endLease(dependencies.db, next);
      if (error instanceof Superseded) continue;
      if (!(error instanceof Error) || isOutage(error)) throw error;
      const message = error instanceof ImportError ? error.message : "The file could not be imported.";
      await finish(dependencies.db, next, { error: message });
      if (!(error instanceof ImportError)) throw error;
    }
  }
}

type Leased = Pick<Import, "id" | "kind" | "state" | "map" | "people" | "from" | "created_by"> & {
  revision: number;
  project: ProjectRef;
  storage_key: string | null;
};

/** Imports of a deleted project wait, because it may be restored. */
async function leaseNext(db: Db): Promise<Leased | undefined> {
  const { rows } = await sql<Leased>`
    update imports i set leased_until = ${LEASE}
    from projects p
    where p.id = i.project_id and i.id = (
      select w.id from imports w join projects o on o.id = w.project_id and o.deleted_at is null
      where w.state in ('checking', 'importing') and (w.leased_until is null or w.leased_until < clock_timestamp())
      order by w.id limit 1 for update of w skip locked)
    returning i.id, i.kind, i.state, i.map, i.people, i.from_project as "from", i.created_by, i.revision,
      json_build_object('id', p.id, 'workspace_id', p.workspace_id, 'key', p.key) as project,
      (select storage_key from import_files f where f.import_id = i.id) as storage_key`.execute(db);
  return rows[0];
}

/** The mapping was changed, or the import was deleted with its project, while it was being checked. */
class Superseded extends Error {}

type Outcome = {
  counts?: ImportCounts;
  unmatched?: string[];
  left_out?: Import["left_out"];
  notes?: Import["notes"];
  columns?: string[];
  map?: Import["map"];
  error: string | null;
};

async function runOne(
  { db, storage, retentionDays }: Dependencies,
  leased: Leased,
  signal: AbortSignal,
): Promise<Outcome> {
  const { kind, project, created_by } = leased;
  if (created_by === null) throw new ImportError("The person who uploaded the file has no account any more.");
  const source = await loadSource(kind);
  if (source === undefined) throw new ImportError(`This version cannot import ${kind}.`);
  const { privacyRules } = await readProjectRules(db, project.id);
  const folder = await mkdtemp(path.join(tmpdir(), "signalbox-import-"));
  try {
    const file = path.join(folder, "file");
    await fetchFile(storage, leased.storage_key, file);
    const mapping = kind === "csv" ? await readMapping(db, leased, file) : { columns: [], map: {} };
    const left_out: Import["left_out"] = [];
    const notes: Import["notes"] = [];
    const note = (list: Import["notes"], where: string, text: string) => {
      if (list.length < MAX_LISTED_ROWS) list.push({ where, text });
    };
    let due = 0;
    const { counts, unmatched } = await importInto(db, {
      project,
      kind,
      items: source({ path: file }, { map: mapping.map, from: leased.from, privacyRules, signal }),
      addresses: await readAddresses(db, leased.people),
      fallbackAuthorId: created_by,
      retentionDays,
      isDryRun: leased.state === "checking",
      signal,
      onLeftOut: ({ where, reason }) => note(left_out, where, reason),
      onNote: ({ where, text }) => note(notes, where, text),
      onProgress: async (progress) => {
        if (performance.now() < due) return;
        due = performance.now() + PROGRESS_MS;
        await saveProgress(db, leased, progress);
      },
    });
    return { counts, unmatched: [...unmatched.keys()], left_out, notes, ...mapping, error: null };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fetchFile(storage: Storage, key: string | null, target: string): Promise<void> {
  const stored = key === null ? undefined : await storage.open(key);
  if (stored === undefined)
    throw new ImportError("The file was deleted, because it was a day old. Upload it again.");
  await pipeline(stored, createWriteStream(target));
}

/** The columns are saved first, so that a file whose columns are not recognized can be mapped. */
async function readMapping(db: Db, { id, map }: Leased, file: string) {
  const { columns } = await readCsv(file);
  await sql`update imports set columns = ${columns}::text[] where id = ${id}`.execute(db);
  return { columns, map: { ...mapColumns(columns, map), ...emptyOf(map) } };
}

/** Fields that were left out on purpose stay so. */
const emptyOf = (map: Import["map"]): Import["map"] =>
  Object.fromEntries(Object.entries(map).filter(([, column]) => column === ""));

async function readAddresses(db: Db, people: Import["people"]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: number; email: string }>`
    select id, email from users where id = any(${Object.values(people)}::bigint[])`.execute(db);
  const emails = new Map(rows.map(({ id, email }) => [id, email]));
  return new Map(
    Object.entries(people).flatMap(([name, id]) => {
      const email = emails.get(id);
      return email === undefined ? [] : [[name.trim().toLowerCase(), email] as const];
    }),
  );
}

async function saveProgress(db: Db, { id, revision }: Leased, counts: ImportCounts): Promise<void> {
  const { numAffectedRows } = await sql`
    update imports set leased_until = ${LEASE}, counts = ${JSON.stringify(counts)}
    where id = ${id} and revision = ${revision}`.execute(db);
  if (numAffectedRows === 0n) throw new Superseded();
}

async function endLease(db: Db, { id, revision }: Leased): Promise<void> {
  await sql`update imports set leased_until = null where id = ${id} and revision = ${revision}`.execute(db);
}

/** A run that failed can be started again as long as its file is there. */
async function finish(db: Db, { id, state, revision }: Leased, outcome: Outcome): Promise<void> {
  const isDone = state === "importing" && outcome.error === null;
  await db.transaction().execute(async (tx) => {
    await sql`
      update imports set state = ${isDone ? "done" : "checked"}, leased_until = null, error = ${outcome.error},
        finished_at = ${isDone ? sql`clock_timestamp()` : null},
        counts = coalesce(${outcome.counts ? JSON.stringify(outcome.counts) : null}::jsonb, counts),
        unmatched = coalesce(${outcome.unmatched?.slice(0, MAX_LISTED_ROWS) ?? null}::text[], unmatched),
        left_out = coalesce(${outcome.left_out ? JSON.stringify(outcome.left_out) : null}::jsonb, left_out),
        notes = coalesce(${outcome.notes ? JSON.stringify(outcome.notes) : null}::jsonb, notes),
        map = coalesce(${outcome.map ? JSON.stringify(outcome.map) : null}::jsonb, map)
      where id = ${id} and revision = ${revision}`.execute(tx);
    if (isDone) await sql`delete from import_files where import_id = ${id}`.execute(tx);
  });
}

/** Deletes the files of imports that are a day old, except those that are being imported. */
export async function deleteOldImportFiles(db: Db): Promise<void> {
  await sql`
    delete from import_files f using imports i
    where i.id = f.import_id and i.state <> 'importing' and f.created_at < clock_timestamp() - interval '1 day'`.execute(
    db,
  );
}
