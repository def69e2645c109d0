import { sql } from "kysely";
import type { Db, Tx } from "../db/connect.ts";

/** That something was made, changed or deleted: what, not how. Whoever may read it asks for it then. */
export type LiveChange = {
  kind: "issue" | "comment" | "report" | "error_group" | "notification" | "epic" | "project";
  project_id: number | null;
  id: number;
  /** Only this user may see it: notifications. */
  user_id?: number;
  /** Of a comment: what it is on. Without it only those hear of it who may read issues and epics. */
  commentable?: { type: "issues" | "epics"; id: number };
};

/** The channel that wakes every process; what happened stands in the table. */
export const CHANGES_CHANNEL = "signalbox_changes";

/**
 * Records changes in the caller's transaction, all by one statement, and wakes those who watch when it commits.
 * Outside a transaction a `db` works as well, because the statement is one.
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
