import { sql } from "kysely";
import { BATCH_ROWS, batchOf, deleteInBatches } from "../../db/delete-in-batches.ts";
import type { Db } from "../../db/connect.ts";

/** Artifacts are deleted this many days after the last event that could need them, and after their upload. */
const KEPT_DAYS = 90;

/**
 * Deletes artifacts that no recent event needs: those of releases without events, and those without a release whose debug id no error's
 * newest event has. Also deletes files without artifacts, which an interrupted upload can leave, and old fingerprints by mapped frames.
 * Returns how many artifacts.
 */
export async function deleteOldArtifacts(db: Db, signal?: AbortSignal): Promise<number> {
  const deleted = await deleteInBatches(async () => batchOf(await deleteBatch().execute(db)), signal);
  await sql`
    select delete_unused_artifact_files(array(
      select id from artifact_files f
      where created_at < now() - interval '1 day' and not exists (select from artifacts a where a.file_id = f.id)))`.execute(
    db,
  );
  // Those that are needed are computed again, because the maps of releases that still report are kept.
  await sql`delete from mapped_fingerprints where created_at < ${CUTOFF}`.execute(db);
  return deleted;
}

const deleteBatch = () => sql`
  with old as materialized (
    select id, project_id, release_id, debug_id from artifacts where created_at < ${CUTOFF}
  ), seen as materialized (
    select g.id, g.project_id from error_groups g
    where g.project_id in (select project_id from old) and g.last_seen_at > ${CUTOFF}
  ), releases_seen as materialized (
    select distinct r.id from seen s
    join error_group_releases c on c.group_id = s.id and c.last_seen_at > ${CUTOFF}
    join releases r on r.project_id = s.project_id and r.version_hash = c.release_hash
    where r.id in (select release_id from old)
  ), debug_ids_seen as materialized (
    select distinct s.project_id, found[1]::uuid as debug_id from seen s
    join error_group_details d on d.group_id = s.id
    cross join lateral regexp_matches(d.additions, '"debug_id":"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"', 'g') found
    where s.project_id in (select project_id from old where release_id is null)
  )
  delete from artifacts where id in (
    select o.id from old o
    where case when o.release_id is null
      then not exists (select from debug_ids_seen i where i.project_id = o.project_id and i.debug_id = o.debug_id)
      else o.release_id not in (select id from releases_seen) end
    limit ${sql.lit(BATCH_ROWS)}
  )`;

const CUTOFF = sql`now() - make_interval(days => ${sql.lit(KEPT_DAYS)})`;
