import { sql } from "kysely";
import type { Tx } from "../db/connect.ts";
import { invalid } from "../answers/errors.ts";
import { lockQueue } from "./queue.ts";

type Named = {
  /** The duplicate. */
  reportId: number;
  report_id?: number | undefined;
  issue_id?: number | undefined;
  mayReadIssues: boolean;
};

/**
 * Ensures that the original of a duplicate exists in the project and keeps it from being deleted until the transaction
 * ends. 422 on its field otherwise, or if the original report is, directly or indirectly, a duplicate of this one.
 */
export async function requireOriginal(tx: Tx, projectId: number, named: Named): Promise<void> {
  const { reportId, report_id, issue_id, mayReadIssues } = named;
  if (issue_id !== undefined) {
    if (!mayReadIssues || !(await exists(tx, "issues", projectId, issue_id)))
      throw invalid({ "duplicate_of.issue_id": ["is not an issue of the project"] });
  }
  if (report_id === undefined) return;
  if (report_id === reportId) throw invalid({ "duplicate_of.report_id": ["must not be the report itself"] });
  // Without the lock, two concurrent dismissals could make two reports duplicates of each other.
  await lockQueue(tx, projectId);
  if (!(await exists(tx, "reports", projectId, report_id)))
    throw invalid({ "duplicate_of.report_id": ["is not a report of the project"] });
  if (await isDuplicateOf(tx, report_id, reportId))
    throw invalid({ "duplicate_of.report_id": ["is itself a duplicate of this report"] });
}

async function exists(tx: Tx, table: "issues" | "reports", projectId: number, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom(table)
    .select("id")
    .where("project_id", "=", projectId)
    .where("id", "=", id)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Follows the originals of `id`. */
async function isDuplicateOf(tx: Tx, id: number, other: number): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    with recursive originals as (
      select duplicate_of_report_id as id from reports where id = ${id}
      union
      select r.duplicate_of_report_id from originals o join reports r on r.id = o.id
    )
    select exists (select from originals where id = ${other}) as found`.execute(tx);
  return rows[0]?.found === true;
}
