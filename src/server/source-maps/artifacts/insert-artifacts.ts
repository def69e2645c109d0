import { sql } from "kysely";
import type { Artifact } from "../../../shared/source-maps.ts";
import { requireQuota } from "../../attachments/project-storage.ts";
import type { Tx } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";
import { announce } from "../../record/live-changes.ts";
import type { NewArtifact } from "../unpack/new-artifact.ts";
import { selectArtifacts } from "./list-artifacts.ts";

export type Upload = {
  projectId: number;
  /** Without one, only files with a debug id are stored. */
  version: string | undefined;
  artifacts: NewArtifact[];
  quota: number | undefined;
};

/** The content of a file, which several artifacts can share. `isPut`: it is in storage under this key. */
export type Content = { hash: string; size: number; path: string; storage_key: string; isPut: boolean };

/** Files that were known to be stored were deleted before their artifacts were committed. */
export class FilesGone extends Error {
  readonly contents: Content[];
  constructor(contents: Content[]) {
    super("files of artifacts have been deleted");
    this.contents = contents;
  }
}

/** Inserts the rows of an upload whose files are stored, creates its release, and records the upload. */
export async function insertArtifacts(tx: Tx, upload: Upload, contents: Content[]): Promise<Artifact[]> {
  const { projectId, version, artifacts, quota } = upload;
  const releaseId = version === undefined ? null : await addRelease(tx, projectId, version);
  const fileIds = await insertFiles(tx, projectId, contents);
  const rows = JSON.stringify(
    artifacts
      .map(({ name, type, debug_id, map_name, sha256 }) => ({
        name,
        type,
        debug_id,
        map_name,
        file_id: fileIds.get(sha256.toString("hex")),
      }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  );
  const ids = await (releaseId === null
    ? insertByDebugId(tx, projectId, rows)
    : insertIn(tx, { projectId, releaseId }, rows));
  await requireQuota(tx, projectId, quota, "files");
  await recordAudit(tx, {
    kind: "source_maps.uploaded",
    project_id: projectId,
    ...(releaseId !== null && { subject: { type: "release", id: releaseId, name: version ?? null } }),
    details: { files: ids.length },
  });
  if (releaseId !== null) await announce(tx, [{ kind: "release", project_id: projectId, id: releaseId }]);
  return selectArtifacts(tx)
    .where(sql<boolean>`a.id = any(${ids}::bigint[])`)
    .orderBy("a.id")
    .execute();
}

/** Creates the release if the project does not have it, without marking it as seen. Otherwise locks it: its uploads take turns. */
async function addRelease(tx: Tx, projectId: number, version: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into releases as r (project_id, version_hash, version)
    values (${projectId}, sha256(convert_to(${version}, 'UTF8')), ${version})
    on conflict (project_id, version_hash) do update set version = r.version
    returning id`.execute(tx);
  return (rows[0] as { id: number }).id;
}

/**
 * Inserts the rows of the files and returns their ids by hash. If another upload has stored the same content meanwhile, its file is used and
 * ours is deleted. Throws `FilesGone` if a file was deleted that was to be used.
 */
async function insertFiles(tx: Tx, projectId: number, contents: Content[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; hash: string; storage_key: string }>`
    insert into artifact_files as f (project_id, sha256, size, storage_key)
    select ${projectId}, decode(hash, 'hex'), size, storage_key
    from json_to_recordset(${JSON.stringify(contents)}) as g (hash text, size bigint, storage_key text)
    order by hash
    on conflict (project_id, sha256) do update set size = f.size
    returning id, encode(sha256, 'hex') as hash, storage_key`.execute(tx);
  const keys = new Map(rows.map(({ hash, storage_key }) => [hash, storage_key]));
  const isOurs = ({ hash, storage_key }: Content) => keys.get(hash) === storage_key;
  const gone = contents.filter((content) => isOurs(content) && !content.isPut);
  if (gone.length > 0) throw new FilesGone(gone);
  const surplus = contents.filter((content) => !isOurs(content) && content.isPut);
  await sql`
    insert into file_deletions (storage_key)
    select unnest(${surplus.map(({ storage_key }) => storage_key)}::text[]) on conflict do nothing`.execute(
    tx,
  );
  return new Map(rows.map(({ id, hash }) => [hash, id]));
}

const givenRows = (rows: string) => sql`
  select * from json_to_recordset(${rows}) as g (name text, type text, debug_id uuid, map_name text, file_id bigint)`;

const REPLACE = sql`
  do update set file_id = excluded.file_id, name = excluded.name, type = excluded.type, debug_id = excluded.debug_id,
    map_name = excluded.map_name, created_at = clock_timestamp()
  returning id`;

type Release = { projectId: number; releaseId: number };

/** Inserts artifacts of a release, replaces those with the same names, and returns the ids. */
async function insertIn(tx: Tx, { projectId, releaseId }: Release, rows: string): Promise<number[]> {
  const replaced = await sql<{ file_id: number }>`
    select a.file_id from artifacts a join (${givenRows(rows)}) g on md5(a.name) = md5(g.name)
    where a.release_id = ${releaseId}`.execute(tx);
  const inserted = await sql<{ id: number }>`
    insert into artifacts (project_id, release_id, file_id, name, type, debug_id, map_name)
    select ${projectId}, ${releaseId}, file_id, name, type, debug_id, map_name from (${givenRows(rows)}) g
    on conflict (release_id, md5(name)) where release_id is not null ${REPLACE}`.execute(tx);
  await deleteUnused(tx, replaced.rows);
  return inserted.rows.map(({ id }) => id);
}

/** Inserts artifacts without a release, replaces those with the same debug ids, and returns the ids. */
async function insertByDebugId(tx: Tx, projectId: number, rows: string): Promise<number[]> {
  const replaced = await sql<{ file_id: number }>`
    select a.file_id from artifacts a join (${givenRows(rows)}) g on a.debug_id = g.debug_id and a.type = g.type
    where a.project_id = ${projectId} and a.release_id is null`.execute(tx);
  const inserted = await sql<{ id: number }>`
    insert into artifacts (project_id, file_id, name, type, debug_id, map_name)
    select ${projectId}, file_id, name, type, debug_id, map_name from (${givenRows(rows)}) g order by debug_id, type
    on conflict (project_id, debug_id, type) where release_id is null ${REPLACE}`.execute(tx);
  await deleteUnused(tx, replaced.rows);
  return inserted.rows.map(({ id }) => id);
}

const deleteUnused = (tx: Tx, files: { file_id: number }[]) =>
  sql`select delete_unused_artifact_files(${files.map(({ file_id }) => file_id)}::bigint[])`.execute(tx);
