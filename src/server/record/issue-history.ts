import { sql, type RawBuilder } from "kysely";
import type { Tx } from "../db/connect.ts";
import { noteIssueChanges, type HistoryEntry } from "./issue-events.ts";

/** Adds entries to the activity of issues, in the transaction of the change. The actor is null if an event caused it. */
export async function recordHistory(tx: Tx, actorId: number | null, entries: HistoryEntry[]): Promise<void> {
  if (entries.length === 0) return;
  noteIssueChanges(tx, entries);
  await tx
    .insertInto("issue_activity")
    .values(
      entries.map(({ issue_id, kind, from, to }) => ({
        issue_id,
        actor_id: actorId,
        kind,
        from: value(from),
        to: value(to),
      })),
    )
    .execute();
}

/** SQL null rather than JSON null for a missing value. */
function value(of: unknown): RawBuilder<string> | null {
  return of === undefined || of === null ? null : sql<string>`${JSON.stringify(of)}::jsonb`;
}

/**
 * Clears the references of issues to a sprint, an epic or another issue that is about to be deleted, and records that in their
 * history. The caller holds the project's lock.
 */
export async function detachIssues(
  tx: Tx,
  from: { project_id: number; column: "sprint_id" | "epic_id" | "parent_id" | "duplicate_of_id"; id: number },
  actorId: number,
): Promise<void> {
  const column = sql.ref(from.column);
  const { rows } = await sql<{ issue_id: number }>`
    with detached as (
      update issues set ${column} = null, updated_at = clock_timestamp()
      where project_id = ${from.project_id} and ${column} = ${from.id}
      returning id
    )
    insert into issue_activity (issue_id, actor_id, kind, "from")
    select id, ${actorId}, ${from.column}, to_jsonb(${from.id}::bigint) from detached order by id
    returning issue_id`.execute(tx);
  noteIssueChanges(
    tx,
    rows.map(({ issue_id }) => ({ issue_id, kind: from.column, from: from.id, to: null })),
  );
}
