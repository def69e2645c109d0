import { sql } from "kysely";
import type { Comment } from "../../shared/comments.ts";
import type { LiveKind } from "../../shared/live-changes.ts";
import type { Db, Tx } from "../db/connect.ts";

/** Something that was created, changed or deleted. Clients that may read it fetch its current state. */
export type LiveChange = {
  kind: LiveKind;
  project_id: number | null;
  id: number;
  /** The only user who receives the change; set for notifications and profiles. */
  user_id?: number;
  /** What a comment is on. Without it, only users who may read everything that can have comments receive the change. */
  commentable?: { type: Comment["commentable_type"]; id: number };
};

/** The channel that wakes every process. The changes themselves are in the table. */
export const CHANGES_CHANNEL = "signalbox_changes";

/**
 * Records changes in one statement and wakes the listening processes when the transaction commits. Also works outside a
 * transaction.
 */
export async function announce(tx: Tx | Db, changes: LiveChange[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ id, commentable, ...change }) => ({
    ...change,
    target_id: id,
    commentable_type: commentable?.type,
    commentable_id: commentable?.id,
  }));
  await sql`
    with recorded as (
      insert into changes (kind, project_id, target_id, commentable_type, commentable_id, user_id)
      select kind, project_id, target_id, commentable_type, commentable_id, user_id
      from json_to_recordset(${JSON.stringify(rows)}) as c (kind text, project_id bigint, target_id bigint,
        commentable_type text, commentable_id bigint, user_id bigint)
    )
    select pg_notify(${CHANGES_CHANNEL}, '')`.execute(tx);
}

export function announceErrorGroups(tx: Tx, groups: { id: number; project_id: number }[]): Promise<void> {
  return announce(
    tx,
    groups.map(({ id, project_id }) => ({ kind: "error_group", id, project_id })),
  );
}
