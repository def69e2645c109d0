import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";

/** The row of a release's counts for what people do. Storing events uses other rows, so it never waits for this one. */
const PEOPLE_SLOT = -1;

/** Counts each of the resolved groups in its project's latest release, once. The caller has locked the groups. */
export async function countResolutions(tx: Tx, groupIds: number[]): Promise<void> {
  if (groupIds.length === 0) return;
  await sql`
    with counted as (
      insert into release_groups (release_id, kind, group_id, at)
      select r.id, 'resolved', g.id, clock_timestamp()
      from error_groups g
      join (
        select project_id, (latest_release(project_id)).id
        from (select distinct project_id from error_groups where id = any(${groupIds}::bigint[])) p
      ) r on r.project_id = g.project_id and r.id is not null
      where g.id = any(${groupIds}::bigint[])
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
