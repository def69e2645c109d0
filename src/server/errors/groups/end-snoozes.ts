import { sql } from "kysely";
import { SNOOZE_ENDED } from "../../../shared/notifications.ts";
import type { Db } from "../../db/connect.ts";
import { queueGroupNotices } from "../../inform/notify/queue-group-notices.ts";
import { recordGroupHistory } from "../../record/error-group-history.ts";
import { announceErrorGroups } from "../../record/live-changes.ts";

/** Groups that one call opens; the next call opens the others. */
const MAX_GROUPS_AT_ONCE = 500;

/**
 * Opens the groups whose snooze time has passed. Skips locked groups: the next call opens them, unless the event that holds
 * the lock does. Any number of processes may call this concurrently.
 */
export async function endDueSnoozes(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number; project_id: number; snoozed_until: unknown }>`
      with due as (
        select id from error_groups
        where snooze_ends_at <= clock_timestamp() and status = 2
        order by key limit ${MAX_GROUPS_AT_ONCE} for no key update skip locked
      )
      update error_groups g
      set status = 0, snoozed_until = null, snooze_ends_at = null, snooze_users = null, updated_at = clock_timestamp()
      from (
        select g.id, g.snoozed_until from due join error_groups g using (id)
      ) before
      where g.id = before.id
      returning g.id, g.project_id, before.snoozed_until`.execute(tx);
    const entries = rows.map(({ id, snoozed_until }) => ({
      group_id: id,
      kind: "reopened" as const,
      from: snoozed_until,
    }));
    await recordGroupHistory(tx, null, entries);
    await queueGroupNotices(
      tx,
      rows.map(({ id }) => ({ group_id: id, type: SNOOZE_ENDED, details: {} })),
    );
    await announceErrorGroups(tx, rows);
  });
}
