import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";

/**
 * Keeps the event with this id because feedback refers to it. Returns the id of its group, or undefined if the event is not
 * known. An event that was dropped already stays dropped.
 */
export async function keepForFeedback(
  db: Db,
  projectId: number,
  eventId: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ group_id: number }>`
    select g.id as group_id from error_event_ids i join error_groups g on g.id = current_error_group(i.group_id)
    where i.project_id = ${projectId} and i.event_id = ${eventId}::uuid`.execute(db);
  const groupId = rows[0]?.group_id;
  if (groupId === undefined) return undefined;
  // In this order: an event that is replaced in between moves from the first table to the second.
  for (const table of ["error_group_details", "error_events"])
    await sql`update ${sql.table(table)} set has_feedback = true
      where group_id = ${groupId} and event_id = ${eventId}::uuid`.execute(db);
  return groupId;
}
