import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

/** How a report refers to its error. */
export type ErrorOfReport = {
  /** 32 hexadecimal characters. */
  error_event_id?: string | undefined;
  /** 64 hexadecimal characters: a hash of the report's author. */
  user_hash?: string | undefined;
};

/**
 * The error group of the event with that id or, without an id, of the user's latest error within the last ten minutes.
 * Null if there is none, or the event has not arrived yet.
 */
export async function findErrorGroup(
  db: Db,
  projectId: number,
  { error_event_id, user_hash }: ErrorOfReport,
): Promise<number | null> {
  if (error_event_id === undefined && user_hash === undefined) return null;
  const { rows } = await (
    error_event_id === undefined
      ? sql<{ id: number }>`
        select g.id from error_groups g
        join error_group_users u on u.group_id = g.id and u.user_hash = decode(${user_hash}, 'hex')
        where g.project_id = ${projectId} and g.last_seen_at > now() - interval '10 minutes'
          and u.last_seen_at > now() - interval '10 minutes'
        order by u.last_seen_at desc limit 1`
      : sql<{ id: number }>`
        select g.id from error_event_ids e join error_groups g on g.id = current_error_group(e.group_id)
        where e.project_id = ${projectId} and e.event_id = ${error_event_id}::uuid`
  ).execute(db);
  return rows[0]?.id ?? null;
}
