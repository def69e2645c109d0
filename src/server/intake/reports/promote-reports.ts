import { sql } from "kysely";
import type { z } from "zod";
import type { Report, promoteBody } from "../../../shared/reports.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { invalid, type FieldErrors } from "../../answers/errors.ts";
import { createIssue } from "../../work/issues/create-issue.ts";
import { linkGroupsTo } from "../../work/lifecycle/link-groups.ts";
import type { ProjectRef } from "../../work/issues/references.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { readReports } from "./read-report.ts";

/**
 * Creates one issue from the reports and links all of them to it, and error groups, in one transaction. Returns the reports
 * in the order of `report_ids`. 422 on `report_ids.N` if that report is not in the project or is already promoted or
 * dismissed, on `error_group_ids.N` likewise, and on invalid fields of the issue; then nothing changes. If two requests
 * promote the same report, one wins.
 */
export async function promoteReports(
  db: Db,
  project: ProjectRef,
  actorId: number,
  { report_ids, error_group_ids, ...issue }: z.output<typeof promoteBody>,
): Promise<Report[]> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, project.id);
    await requirePromotable(tx, project.id, report_ids);
    const issueId = await createIssue(tx, project, actorId, issue);
    await sql`
      update reports set promoted_issue_id = ${issueId}, promoted_at = moment.at, updated_at = moment.at
      from (select clock_timestamp() as at) moment where id = any(${report_ids}::bigint[])`.execute(tx);
    await linkGroupsTo(tx, project.id, issueId, error_group_ids ?? [], actorId);
    return readReports(tx, project.id, report_ids);
  });
}

/** Locks the reports, in the order of their ids to avoid deadlocks, until the transaction ends. */
async function requirePromotable(tx: Tx, projectId: number, ids: number[]): Promise<void> {
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
