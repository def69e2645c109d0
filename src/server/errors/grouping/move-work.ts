import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";
import { announce } from "../../record/live-changes.ts";
import type { Merge } from "./merge.ts";

/** Moves comments, watches, history and all other references from the sources to the target. */
export async function moveWork(tx: Tx, projectId: number, merge: Merge): Promise<void> {
  const { targetId, sourceIds } = merge;
  await sql`delete from new_error_groups where error_group_id = any(${sourceIds}::bigint[])`.execute(tx);
  await moveComments(tx, projectId, merge);
  for (const [table, column] of MOVED)
    await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${targetId}
      where ${sql.ref(column)} = any(${sourceIds}::bigint[])`.execute(tx);
  await sql`
    insert into error_group_watchers (group_id, user_id)
    select distinct ${targetId}::bigint, user_id from error_group_watchers where group_id = any(${sourceIds}::bigint[])
    on conflict do nothing`.execute(tx);
  await sql`
    insert into git_links (change_id, group_id, closes)
    select change_id, ${targetId}::bigint, bool_or(closes) from git_links where group_id = any(${sourceIds}::bigint[])
    group by change_id
    on conflict do nothing`.execute(tx);
  await sql`
    insert into release_groups (release_id, kind, group_id, at)
    select release_id, kind, ${targetId}, max(at) from release_groups where group_id = any(${sourceIds}::bigint[])
    group by release_id, kind
    on conflict (release_id, kind, group_id) do nothing`.execute(tx);
}

// Notices come before notifications: moving them waits for the job that may be turning them into notifications.
const MOVED = [
  ["error_group_notices", "group_id"],
  ["alert_actions", "group_id"],
  ["emailed_alerts", "error_group_id"],
  ["attachments", "error_group_id"],
  ["reports", "error_group_id"],
  ["monitor_environments", "error_group_id"],
  ["notifications", "error_group_id"],
  ["error_group_activity", "group_id"],
  ["issue_regressions", "group_id"],
  ["imported_objects", "error_group_id"],
] as const;

/** Moves all threads in one statement. If the target has a pinned comment, that one stays pinned. */
async function moveComments(tx: Tx, projectId: number, { targetId, sourceIds }: Merge): Promise<void> {
  const groupIds = [targetId, ...sourceIds];
  await sql`
    update comments set is_pinned = false
    where error_group_id = any(${groupIds}::bigint[]) and is_pinned and id <> (
      select id from comments where error_group_id = any(${groupIds}::bigint[]) and is_pinned
      order by error_group_id = ${targetId} desc, id desc limit 1)`.execute(tx);
  const { rows } = await sql<{ id: number }>`
    update comments set error_group_id = ${targetId} where error_group_id = any(${sourceIds}::bigint[])
    returning id`.execute(tx);
  const commentable = { type: "error_groups" as const, id: targetId };
  await announce(
    tx,
    rows.slice(0, 1).map(({ id }) => ({ kind: "comment" as const, project_id: projectId, id, commentable })),
  );
}
