import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";

/** The kinds of history entries that change a group's status. */
export const STATUS_KINDS = sql`array['resolved', 'reopened', 'regressed', 'ignored', 'snoozed', 'verified']`;

/** The kinds of history entries that change which issue a group is linked to. */
export const LINK_KINDS = sql`array['linked', 'unlinked']`;

/**
 * Returns groups to what `keepForUndo` kept of them, and deletes the watches and the history entries that their changes added. The
 * caller holds the groups' locks.
 */
export async function restoreGroups(tx: Tx, activityIds: number[]): Promise<void> {
  const ids = sql`${activityIds}::bigint[]`;
  // Columns that `before` lacks stay. A group that was resolved with its issue follows the issue again, unless its status,
  // assignee or link has been changed since.
  await sql`
    update error_groups g set
      status = b.status, regressed_at = b.regressed_at, resolved_at = b.resolved_at,
      resolved_by_id = (select id from users where id = b.resolved_by_id), resolved_release = b.resolved_release,
      resolved_in = b.resolved_in, resolved_in_release = b.resolved_in_release,
      resolved_after_release = b.resolved_after_release, verified_at = b.verified_at,
      resolved_by_issue_id = (select id from issues where id = b.resolved_by_issue_id),
      snoozed_until = b.snoozed_until, snooze_ends_at = b.snooze_ends_at, snooze_ends_count = b.snooze_ends_count,
      snooze_users = b.snooze_users, assignee_id = (select id from users where id = b.assignee_id),
      linked_issue_id = b.linked_issue_id, linked_at = b.linked_at, updated_at = clock_timestamp()
    from (
      select b.* from error_group_undos u
      join error_groups g on g.id = u.group_id
      cross join lateral jsonb_populate_record(g, case
        when exists (select from error_group_activity l where l.group_id = g.id and l.id > u.activity_id
          and l.kind = any(${STATUS_KINDS} || ${LINK_KINDS} || array['assigned']))
        then u.before - 'resolved_by_issue_id' else u.before end) b
      where u.activity_id = any(${ids})
    ) b
    where g.id = b.id`.execute(tx);
  await sql`
    delete from error_group_watchers w using error_group_undos u
    where u.activity_id = any(${ids}) and w.group_id = u.group_id and w.user_id = u.watcher_id`.execute(tx);
  // Also deletes what was kept for the undo.
  await sql`delete from error_group_activity where id = any(${ids})`.execute(tx);
}
