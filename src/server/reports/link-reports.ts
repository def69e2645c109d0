import { sql } from "kysely";
import { invalid, type FieldErrors } from "../answers/errors.ts";
import type { Tx } from "../db/connect.ts";
import { recordReportHistory } from "../record/report-history.ts";

/**
 * Locks the reports to promote until the transaction ends. The caller already holds the locks of the project and of any error
 * groups. 422 on `report_ids.N` if that report is not in the project or is already promoted or dismissed.
 */
export async function requirePromotable(tx: Tx, projectId: number, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await sql<{ id: number; promoted: boolean; dismissed: boolean }>`
    select id, promoted_at is not null as promoted, dismissed_at is not null as dismissed
    from reports where project_id = ${projectId} and id = any(${ids}::bigint[])
    order by id for no key update`.execute(tx);
  const found = new Map(rows.map((row) => [row.id, row]));
  const errors: FieldErrors = {};
  for (const [index, id] of ids.entries()) {
    const row = found.get(id);
    const error = !row
      ? "is not a report of the project"
      : row.promoted
        ? "is already promoted"
        : row.dismissed && "is already dismissed";
    if (error) errors[`report_ids.${index}`] = [error];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

/** The issue that reports are promoted to: a new one, or one that existed. */
type PromotedTo = { id: number; existed: boolean };

/** Links promotable reports to an issue. */
export async function linkReportsTo(
  tx: Tx,
  projectId: number,
  {
    issue: { id: issueId, existed },
    ids,
    actorId,
  }: { issue: PromotedTo; ids: number[]; actorId: number | null },
): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update reports set promoted_issue_id = ${issueId}, promoted_at = moment.at, updated_at = moment.at,
      added_to_issue = ${existed}
    from (select clock_timestamp() as at) moment where id = any(${ids}::bigint[])`.execute(tx);
  // The issue's page lists its reports.
  if (existed) await sql`update issues set updated_at = clock_timestamp() where id = ${issueId}`.execute(tx);
  await recordReportHistory(
    tx,
    projectId,
    actorId,
    ids.map((report_id) => ({ report_id, kind: "promoted", to: issueId })),
  );
}
