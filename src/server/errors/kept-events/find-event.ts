import { sql } from "kysely";
import type { FoundEvent } from "../../../shared/kept-events.ts";
import type { Db } from "../../db/connect.ts";
import { readEventId } from "../../ingest/read/event-additions.ts";
import { noSuchEvent } from "./read-event.ts";

/**
 * Finds an event by the id that its client gave it: its group, and the event if it is kept. Ids are known for seven days, and
 * those of kept events as long as the event. 404 otherwise.
 */
export async function findEvent(db: Db, projectId: number, sent: string): Promise<FoundEvent> {
  const eventId = readEventId(sent);
  if (eventId === null) throw noSuchEvent();
  const { rows } = await sql<FoundEvent>`
    select g.id as error_group_id,
      (select max(e.id) from kept_events e where e.group_id = g.id and e.event_id = ${eventId}::uuid) as id
    from (
      select current_error_group(group_id) as group_id from error_event_ids where project_id = ${projectId} and event_id = ${eventId}::uuid
      union all select group_id from error_events where event_id = ${eventId}::uuid
    ) found
    join error_groups g on g.id = found.group_id and g.project_id = ${projectId}
    limit 1`.execute(db);
  const [found] = rows;
  if (!found) throw noSuchEvent();
  return found;
}
