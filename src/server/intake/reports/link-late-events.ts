import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";

/**
 * Stores the error groups of reports whose event arrived after them. Until then they are found by the ids of recent events,
 * so this must run before those ids are deleted.
 */
export async function linkLateEvents(db: Db): Promise<void> {
  await sql`
    update reports r set error_group_id = g.id
    from error_event_ids e join error_groups g on g.id = current_error_group(e.group_id)
    where r.error_group_id is null and r.error_event_id is not null
      and e.project_id = r.project_id and e.event_id = r.error_event_id`.execute(db);
}
