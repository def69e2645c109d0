import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { artifactName } from "./file-names.ts";
import type { ArtifactFile } from "./map-reader.ts";
import { nearestName } from "./nearest-name.ts";

/** Where an event says that its files come from. */
export type EventOrigin = { projectId: number; release: string | null };

/** A minified file of an event: its path or address as sent, and the debug id that the event names for it. */
export type MinifiedFile = { file: string; debugId: string | null };

export type FoundMap = ArtifactFile & { artifact_id: number; name: string; found_by: "debug_id" | "name" };

/** `mapName` is the name that the map was looked for. */
export type FileMatch = MinifiedFile & { name: string; mapName: string } & (
    | { map: FoundMap }
    | { map: null; reason: MissingReason; nearest?: string }
  );

type MissingReason = "no_release" | "no_map_for_release" | "unknown_debug_id" | "file_not_found";

/** The most names of a release that are compared with a file that was not found. */
const MAX_COMPARED = 10_000;

type Row = {
  release_id: number | null;
  has_maps: boolean;
  map_name: string | null;
  map: FoundMap | null;
};

/**
 * Finds the source map of each file: by debug id in the whole project, else by name in the release. The result has the order of
 * `files`.
 */
export async function matchFiles(
  db: Db,
  { projectId, release }: EventOrigin,
  files: readonly MinifiedFile[],
): Promise<FileMatch[]> {
  if (files.length === 0) return [];
  const names = files.map(({ file }) => artifactName(file));
  const { rows } = await sql<Row>`
    with release as materialized (
      select id from releases
      where project_id = ${projectId} and version_hash = sha256(convert_to(${release}::text, 'UTF8'))
    )
    select r.id as release_id, coalesce(r.has_maps, false) as has_maps, s.map_name,
      case when m.id is not null then json_build_object('artifact_id', m.id, 'name', m.name, 'found_by', m.found_by,
        'file_id', f.id, 'storage_key', f.storage_key, 'size', f.size) end as map
    from unnest(${names}::text[], ${files.map(({ debugId }) => debugId)}::uuid[]) with ordinality w (name, debug_id, place)
    left join (
      select id, exists (select from artifacts a where a.release_id = release.id and a.type = 'source_map') as has_maps from release
    ) r on true
    left join artifacts s on s.release_id = r.id and md5(s.name) = md5(w.name) and s.name = w.name and s.type = 'source'
    left join lateral (
      select * from (
        (select 1 as rank, 'debug_id' as found_by, a.id, a.name, a.file_id from artifacts a
          where a.project_id = ${projectId} and a.debug_id = w.debug_id and a.type = 'source_map'
          order by a.id desc limit 1)
        union all
        (select 2, 'name', a.id, a.name, a.file_id from artifacts a
          where a.release_id = r.id and md5(a.name) = md5(coalesce(s.map_name, w.name || '.map'))
            and a.name = coalesce(s.map_name, w.name || '.map') and a.type = 'source_map')
        union all
        (select 3, 'name', a.id, a.name, a.file_id from artifacts a
          where a.project_id = ${projectId} and a.debug_id = s.debug_id and a.type = 'source_map'
          order by a.id desc limit 1)
      ) found order by rank limit 1
    ) m on true
    left join artifact_files f on f.id = m.file_id
    order by w.place`.execute(db);
  const isMissing = rows.some(({ map, has_maps }) => map === null && has_maps);
  const releaseNames = isMissing ? await mapNames(db, rows[0]?.release_id ?? null) : [];
  return files.map((file, n) => {
    const name = names[n] ?? "";
    const row = rows[n];
    const common = { ...file, name, mapName: row?.map_name ?? `${name}.map` };
    if (row?.map) return { ...common, map: row.map };
    const reason = reasonFor(file, release, row?.has_maps ?? false);
    const nearest = reason === "file_not_found" ? nearestName(name, releaseNames) : undefined;
    return { ...common, map: null, reason, ...(nearest !== undefined && { nearest }) };
  });
}

function reasonFor({ debugId }: MinifiedFile, release: string | null, hasMaps: boolean): MissingReason {
  if (debugId !== null) return "unknown_debug_id";
  if (release === null) return "no_release";
  return hasMaps ? "file_not_found" : "no_map_for_release";
}

async function mapNames(db: Db, releaseId: number | null): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from artifacts where release_id = ${releaseId} and type = 'source_map'
    order by id desc limit ${sql.lit(MAX_COMPARED)}`.execute(db);
  return rows.map(({ name }) => name);
}

/** The files of original sources, by their names: uploaded for the same release or with the same debug id. */
export async function findSources(
  db: Db,
  { projectId, release }: EventOrigin,
  wanted: readonly { name: string; debugId: string | null }[],
): Promise<(ArtifactFile | null)[]> {
  if (wanted.length === 0) return [];
  const { rows } = await sql<{ file: ArtifactFile | null }>`
    select case when f.id is not null
      then json_build_object('file_id', f.id, 'storage_key', f.storage_key, 'size', f.size) end as file
    from unnest(${wanted.map(({ name }) => name)}::text[], ${wanted.map(({ debugId }) => debugId)}::uuid[])
      with ordinality w (name, debug_id, place)
    left join lateral (
      select a.file_id from artifacts a
      where a.project_id = ${projectId} and a.type = 'source' and a.name = w.name and (
        a.debug_id = w.debug_id or (md5(a.name) = md5(w.name) and a.release_id = (
          select id from releases
          where project_id = ${projectId} and version_hash = sha256(convert_to(${release}::text, 'UTF8')))))
      order by a.id desc limit 1
    ) s on true
    left join artifact_files f on f.id = s.file_id
    order by w.place`.execute(db);
  return rows.map(({ file }) => file);
}
