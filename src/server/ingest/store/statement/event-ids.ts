import { sent } from "./columns.ts";

/**
 * Inserts the ids of the events with their groups. A duplicate id fails the statement, and `without-duplicates.ts` then
 * removes the event, so that events with new ids need no other query. Reads `seen`: the groups are locked first, so two
 * batches with the same ids cannot deadlock.
 */
export const EVENT_IDS = `
event_ids as (
  insert into error_event_ids (project_id, event_id, group_id, received_at)
  select s.project_id, c.event_id::uuid, s.id, s.at
  from ${sent("batch_event_ids", "c")} join seen s using (n)
  order by s.project_id, c.event_id
)`;
