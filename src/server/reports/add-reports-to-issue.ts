import type { z } from "zod";
import type { linkReportsBody, Report } from "../../shared/reports.ts";
import type { Db } from "../db/connect.ts";
import { lockProject } from "../people/projects/lock-project.ts";
import { findIssueInBody } from "../work/issues/read-issue.ts";
import type { ProjectRef } from "../work/issues/references.ts";
import { linkReportsTo, requirePromotable } from "./link-reports.ts";
import { readReports } from "./read-report.ts";

/**
 * Promotes reports to an existing issue, named by id or key, and returns them in the order of `report_ids`. 422 on
 * `report_ids.N` if that report is not in the project or is already promoted or dismissed, and on `issue` if the project has
 * no such issue; then nothing changes. If two requests promote the same report, one wins.
 */
export async function addReportsToIssue(
  db: Db,
  project: ProjectRef,
  actorId: number,
  { report_ids, issue }: z.output<typeof linkReportsBody>,
): Promise<Report[]> {
  return db.transaction().execute(async (tx) => {
    // Also prevents the deletion of the issue.
    await lockProject(tx, project.id);
    const id = await findIssueInBody(tx, project, issue);
    await requirePromotable(tx, project.id, report_ids);
    await linkReportsTo(tx, project.id, { issue: { id, existed: true }, ids: report_ids, actorId });
    return readReports(tx, project.id, report_ids);
  });
}
