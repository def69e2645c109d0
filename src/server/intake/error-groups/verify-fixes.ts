import { sql } from "kysely";
import type { Db, Tx } from "../../db/connect.ts";
import { notifyVerified } from "../../inform/notify/lifecycle-notifications.ts";
import { recordGroupHistory } from "../../record/error-group-history.ts";
import { announce } from "../../record/live-changes.ts";

/** How long a release with the fix has to run without the error. */
const HOURS = 48;

/** Groups per transaction. */
const BATCH = 100;

/**
 * Sets `verified_at` of resolved groups whose fix has been running for 48 hours: since a release newer than the latest one
 * at the resolution, or the named one, was first seen, or since the resolution if that was later. Any number of processes
 * may call this: each group is verified once. Groups that are locked are left for the next run.
 */
export async function verifyFixes(db: Db, signal?: AbortSignal): Promise<void> {
  let verified = BATCH;
  while (verified === BATCH) {
    signal?.throwIfAborted();
    verified = await db.transaction().execute(verifyBatch);
  }
}

type Verified = {
  id: number;
  resolved_by_id: number | null;
  project_id: number;
  version: string;
};

async function verifyBatch(tx: Tx): Promise<number> {
  const { rows } = await sql<Verified>`
    with fixed as materialized (
      select g.id, newer.version
      from error_groups g
      cross join lateral (
        select release_sort_key(coalesce(g.resolved_in_release, g.resolved_after_release)) as sort_key,
          coalesce((
            select b.first_seen_at from releases b where b.project_id = g.project_id and b.version_hash =
              sha256(convert_to(coalesce(g.resolved_in_release, g.resolved_after_release), 'UTF8'))
          ), case when g.resolved_in_release is null then g.resolved_at end) as seen_at offset 0
      ) base
      cross join lateral (
        select r.version from releases r
        where r.project_id = g.project_id and r.first_seen_at <= now() - make_interval(hours => ${HOURS})
          and case
            when r.version = g.resolved_in_release then true
            when r.sort_key is not null and base.sort_key is not null and r.sort_key <> base.sort_key
              then r.sort_key > base.sort_key
            else r.first_seen_at > base.seen_at end
        order by r.first_seen_at limit 1
      ) newer
      where g.status = 1 and g.verified_at is null and g.resolved_at <= now() - make_interval(hours => ${HOURS})
      order by g.key limit ${BATCH} for no key update of g skip locked
    )
    update error_groups g set verified_at = clock_timestamp(), updated_at = clock_timestamp()
    from fixed f, projects p
    where g.id = f.id and p.id = g.project_id and p.deleted_at is null and g.status = 1 and g.verified_at is null
    returning g.id, g.resolved_by_id, p.id as project_id, f.version`.execute(tx);
  await recordGroupHistory(
    tx,
    null,
    rows.map(({ id, version }) => ({ group_id: id, kind: "verified", to: version })),
  );
  await notifyVerified(tx, rows);
  await announce(
    tx,
    rows.map(({ id, project_id }) => ({ kind: "error_group" as const, id, project_id })),
  );
  return rows.length;
}
