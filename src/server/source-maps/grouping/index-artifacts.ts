import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import type { ArtifactFile, SourceMapReader } from "../mapping/map-reader.ts";
import type { PositionRow } from "../mapping/position-index.ts";

const ROWS_PER_STATEMENT = 200;

/**
 * Writes the index of the source maps of an upload, if the project groups by mapped frames. A map that cannot be read has no index: its
 * frames count as sent. Call it after the upload is committed; repeating it continues with the maps that have no index yet.
 */
export async function indexArtifacts(
  { db, sourceMaps }: { db: Db; sourceMaps: SourceMapReader },
  projectId: number,
  artifactIds: readonly number[],
): Promise<void> {
  const { rows: files } = await sql<ArtifactFile>`
    select distinct f.id as file_id, f.storage_key, f.size from artifacts a
    join artifact_files f on f.id = a.file_id join projects p on p.id = a.project_id
    where a.id = any(${artifactIds}::bigint[]) and a.type = 'source_map' and p.id = ${projectId}
      and p.group_by_mapped_frames and f.indexed_at is null
    order by f.id`.execute(db);
  for (const file of files) {
    const answer = await sourceMaps.read(projectId, file, { type: "index" });
    await writeIndex(db, file.file_id, "rows" in answer ? answer.rows : []);
  }
}

async function writeIndex(db: Db, fileId: number, rows: PositionRow[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows: found } = await sql`
      update artifact_files set indexed_at = clock_timestamp() where id = ${fileId} and indexed_at is null returning id`.execute(
      tx,
    );
    // Another request has written it, or the file is gone.
    if (found.length === 0) return;
    for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT)
      await sql`
        insert into artifact_positions (file_id, line, first_column, segments)
        select ${fileId}, line, first_column, segments
        from json_to_recordset(${JSON.stringify(rows.slice(from, from + ROWS_PER_STATEMENT))})
          as r (line int, first_column int, segments text)
        on conflict do nothing`.execute(tx);
  });
}
