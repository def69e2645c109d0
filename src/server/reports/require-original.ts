import { sql } from "kysely";
import type { Tx } from "../db/connect.ts";
import { invalid } from "../answers/errors.ts";
import { lockQueue } from "./queue.ts";
import { noSuchReport } from "./read-report.ts";

type Named = {
  /** The duplicate. */
  reportId: number;
  report_id?: number | undefined;
  issue_id?: number | undefined;
  mayReadIssues: boolean;
};

/**
 * Ensures that the original of a duplicate exists in the project and keeps it from being deleted until the transaction ends. 422 on `duplicate_of` if it does not exist, or if the original report is, directly or
 * indirectly, a duplicate of this one; 404 if the project does not have this one.
 */
export async function requireOriginal(tx: Tx, projectId: number, named: Named): Promise<void> {
  const { reportId, report_id, issue_id, mayReadIssues } = named;
  if (issue_id !== undefined) {
    if (!mayReadIssues || !(await exists(tx, projectId, issue_id)))
      throw invalid({ duplicate_of: ["is not an issue of the project"] });
  }
  if (report_id === undefined) return;
  if (report_id === reportId) throw invalid({ duplicate_of: ["must not be the report itself"] });
  // Without the lock, concurrent dismissals of several reports could close a circle.
  await lockQueue(tx, projectId);
  const ids = await lockReports(tx, projectId, [reportId, report_id]);
  if (!ids.has(reportId)) throw noSuchReport();
  if (!ids.has(report_id)) throw invalid({ duplicate_of: ["is not a report of the project"] });
  if (await isDuplicateOf(tx, report_id, reportId))
    throw invalid({ duplicate_of: ["is itself a duplicate of this report"] });
}

async function exists(tx: Tx, projectId: number, issueId: number): Promise<boolean> {
  const row = await tx
    .selectFrom("issues")
    .select("id")
    .where("project_id", "=", projectId)
    .where("id", "=", issueId)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** In the order in which promotions lock them. */
async function lockReports(tx: Tx, projectId: number, ids: number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from reports where project_id = ${projectId} and id = any(${ids}::bigint[])
    order by id for no key update`.execute(tx);
  return new Set(rows.map(({ id }) => id));
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
