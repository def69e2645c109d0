import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";

/** Keeps the event with this id because a report refers to it. An event that was dropped already stays dropped. */
export async function keepEvent(tx: Tx, groupId: number, eventId: string): Promise<void> {
  // In this order: an event that is replaced in between moves from the first table to the second.
  for (const table of ["error_group_details", "error_events"])
    await sql`update ${sql.table(table)} set has_feedback = true
      where group_id = ${groupId} and event_id = ${eventId}::uuid`.execute(tx);
}
