import { sql } from "kysely";
import type { ResolveIn } from "../../../shared/error-groups.ts";
import type { Tx } from "../../db/connect.ts";

/** The row of a release's counts that user actions update. Storing events updates other rows, so it never waits for it. */
const PEOPLE_SLOT = -1;

/**
 * Adds the resolved groups to the counts of the named release, which is created if the project does not have it, or
 * of the project's latest release. A group counts once per release. A resolution in the next release counts for none. The
 * caller has locked the groups.
 */
export async function countResolutions(
  tx: Tx,
  groups: { id: number; project_id: number }[],
  resolveIn: ResolveIn | undefined,
): Promise<void> {
  if (groups.length === 0 || resolveIn === "next_release") return;
  const ids = groups.map((group) => group.id);
  const projectIds = [...new Set(groups.map((group) => group.project_id))];
  if (resolveIn !== undefined) await addReleases(tx, projectIds, resolveIn.release);
  const release =
    resolveIn === undefined
      ? sql`select (latest_release(p.id)).id`
      : sql`select r.id from releases r
          where r.project_id = p.id and r.version_hash = sha256(convert_to(${resolveIn.release}, 'UTF8'))`;
  await sql`
    with counted as (
      insert into release_groups (release_id, kind, group_id, at)
      select r.id, 'resolved', g.id, clock_timestamp()
      from unnest(${projectIds}::bigint[]) p (id)
      cross join lateral (${release}) r (id)
      join error_groups g on g.project_id = p.id and g.id = any(${ids}::bigint[])
      where r.id is not null
      order by r.id, g.id
      on conflict do nothing
      returning release_id
    )
    insert into release_counts as c (release_id, slot, resolved_groups)
    select release_id, ${PEOPLE_SLOT}, count(*) from counted group by release_id order by release_id
    on conflict (release_id, slot) do update set resolved_groups = c.resolved_groups + excluded.resolved_groups`.execute(
    tx,
  );
}

/** Leaves `first_seen_at` null: the first event or deploy sets it. */
async function addReleases(tx: Tx, projectIds: number[], version: string): Promise<void> {
  await sql`
    insert into releases (project_id, version_hash, version)
    select id, sha256(convert_to(${version}, 'UTF8')), ${version}
    from unnest(${projectIds}::bigint[]) p (id) order by id
    on conflict (project_id, version_hash) do nothing`.execute(tx);
}
