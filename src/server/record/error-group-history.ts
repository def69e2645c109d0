import { sql } from "kysely";
import type { ErrorGroupActivityKind } from "../../shared/error-group-work.ts";
import type { WebhookEventName } from "../../shared/webhooks.ts";
import type { Tx } from "../db/connect.ts";
import { noteChange } from "./changed-objects.ts";

export type GroupHistoryEntry = {
  group_id: number;
  kind: ErrorGroupActivityKind;
  from?: unknown;
  to?: unknown;
};

/** What webhooks are told. */
const EVENTS: Partial<Record<ErrorGroupActivityKind, WebhookEventName>> = {
  resolved: "error_group.resolved",
  reopened: "error_group.reopened",
  ignored: "error_group.ignored",
  snoozed: "error_group.snoozed",
  assigned: "error_group.assigned",
  merged: "error_group.merged",
  split: "error_group.split",
};

/**
 * Adds entries to the activity of error groups, in the transaction of the change, and returns their ids by group. The actor is
 * null if an event or the passage of time caused it.
 */
export async function recordGroupHistory(
  tx: Tx,
  actorId: number | null,
  entries: GroupHistoryEntry[],
): Promise<Map<number, number>> {
  if (entries.length === 0) return new Map();
  for (const { group_id: id, kind } of entries) {
    const type = EVENTS[kind];
    // The job that notifies people of ended snoozes tells webhooks of them, too.
    if (type && (kind !== "reopened" || actorId !== null)) noteChange(tx, { type, kind: "error_group", id });
  }
  const { rows } = await sql<{ id: number; group_id: number }>`
    insert into error_group_activity (group_id, actor_id, kind, "from", "to")
    select group_id, ${actorId}::bigint, kind, nullif("from", 'null'), nullif("to", 'null')
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e (group_id bigint, kind text, "from" jsonb, "to" jsonb)
    order by group_id
    returning id, group_id`.execute(tx);
  return new Map(rows.map(({ id, group_id }) => [group_id, id]));
}
