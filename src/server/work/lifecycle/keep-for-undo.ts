import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";

/** How long a change can be undone. */
export const UNDO_MINUTES = 10;

/** `before` for a change of the status: the columns of the group `g` that it replaces. */
export const statusColumns = sql`jsonb_build_object('status', g.status, 'regressed_at', g.regressed_at,
  'resolved_at', g.resolved_at, 'resolved_by_id', g.resolved_by_id, 'resolved_release', g.resolved_release,
  'resolved_in', g.resolved_in, 'resolved_in_release', g.resolved_in_release,
  'resolved_after_release', g.resolved_after_release, 'resolved_by_issue_id', g.resolved_by_issue_id,
  'verified_at', g.verified_at, 'snoozed_until', g.snoozed_until, 'snooze_ends_at', g.snooze_ends_at,
  'snooze_ends_count', g.snooze_ends_count, 'snooze_users', g.snooze_users)`;

/** `before` for a change of the assignee, which also makes the group independent of the issue that resolved it. */
export const assigneeColumns = sql`jsonb_build_object('assignee_id', g.assignee_id,
  'resolved_by_issue_id', g.resolved_by_issue_id)`;

/** `before` for a change of the link. */
export const linkColumns = sql`jsonb_build_object('linked_issue_id', g.linked_issue_id, 'linked_at', g.linked_at,
  'resolved_by_issue_id', g.resolved_by_issue_id)`;

/** Who makes a change. Without `changeId`, it cannot be undone. */
export type ChangeBy = { userId: number; changeId: string | undefined };

export type ChangedGroup = { id: number; before: unknown };

/** The ids of what the change added, by group. */
type Additions = { entries: Map<number, number>; watches: ReadonlySet<number>; watcherId: number | null };

/** Keeps what the groups were before the change, and deletes what the user can no longer undo. */
export async function keepForUndo(
  tx: Tx,
  { userId, changeId }: ChangeBy,
  groups: ChangedGroup[],
  { entries, watches, watcherId }: Additions,
): Promise<void> {
  if (changeId === undefined || groups.length === 0) return;
  const rows = groups.map(({ id, before }) => ({
    activity_id: entries.get(id),
    group_id: id,
    before,
    watcher_id: watches.has(id) ? watcherId : null,
  }));
  await sql`
    delete from error_group_undos where activity_id in (
      select activity_id from error_group_undos
      where user_id = ${userId} and created_at < now() - make_interval(mins => ${UNDO_MINUTES})
      for update skip locked)`.execute(tx);
  await sql`
    insert into error_group_undos (activity_id, group_id, user_id, change_id, before, watcher_id)
    select activity_id, group_id, ${userId}, ${changeId}::uuid, before, watcher_id
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as one (activity_id bigint, group_id bigint, before jsonb, watcher_id bigint)`.execute(tx);
}
