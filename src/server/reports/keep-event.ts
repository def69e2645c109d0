import { sql } from "kysely";
import type { Db } from "../db/connect.ts";
import { findErrorGroup } from "./find-error-group.ts";

/** Keeps the event with this id because a report refers to it. Does nothing if the event has already been dropped. */
export async function keepEvent(db: Db, groupId: number, eventId: string): Promise<void> {
  // The order matters: an event that is replaced in between moves from the first table to the second.
  for (const table of ["error_group_details", "error_events"])
    await sql`update ${sql.table(table)} set has_feedback = true
      where group_id = ${groupId} and event_id = ${eventId}::uuid`.execute(db);
}

/** Like `keepEvent`, but also finds the event's group. */
export async function keepStoredEvent(db: Db, projectId: number, eventId: string): Promise<void> {
  const groupId = await findErrorGroup(db, projectId, { error_event_id: eventId });
  if (groupId !== null) await keepEvent(db, groupId, eventId);
}
