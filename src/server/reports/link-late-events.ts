import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

/**
 * Stores the error groups of reports whose event arrived after the report. Until then the groups are looked up by the ids of
 * recent events, so this must run before those ids are deleted, seven days later. Skips reports that are being changed and
 * groups that are being merged or deleted; the next run handles them.
 */
export async function linkLateEvents(db: Db): Promise<void> {
  await sql`
    with found as materialized (
      select r.id, current_error_group(e.group_id) as group_id
      from reports r
      join error_event_ids e on e.project_id = r.project_id and e.event_id = r.error_event_id
      where r.error_group_id is null and r.error_event_id is not null
    ),
    free as materialized (
      select id from error_groups where id in (select group_id from found) order by key for key share skip locked
    ),
    late as materialized (
      select r.id, f.group_id from found f join free on free.id = f.group_id join reports r on r.id = f.id
      where r.error_group_id is null
      for no key update of r skip locked
    )
    update reports r set error_group_id = late.group_id from late where r.id = late.id`.execute(db);
}
