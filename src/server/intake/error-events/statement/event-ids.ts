import { sent } from "./columns.ts";

/**
 * Notes the ids of events and their groups. An id that is known already fails the statement; `without-duplicates.ts`
 * then removes the event, so that events with new ids need no other query. Reads `seen`. The groups are locked before,
 * so two batches with the same ids cannot deadlock.
 */
export const EVENT_IDS = `
event_ids as (
  insert into error_event_ids (project_id, event_id, group_id, received_at)
  select s.project_id, c.event_id::uuid, s.id, s.at
  from ${sent("batch_event_ids", "c")} join seen s using (n)
  order by s.project_id, c.event_id
)`;
