import type { z } from "zod";
import type { Report, promoteBody } from "../../shared/reports.ts";
import type { Db } from "../db/connect.ts";
import { createIssue } from "../work/issues/create-issue.ts";
import { linkGroupsTo, requireUnlinked } from "../work/lifecycle/link-groups.ts";
import type { ProjectRef } from "../work/issues/references.ts";
import { lockProject } from "../people/projects/lock-project.ts";
import { linkReportsTo, requirePromotable } from "./link-reports.ts";
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
    await requireUnlinked(tx, project.id, error_group_ids ?? []);
    await requirePromotable(tx, project.id, report_ids);
    const issueId = await createIssue(tx, project, actorId, issue);
    await linkReportsTo(tx, project.id, { issue: { id: issueId, existed: false }, ids: report_ids, actorId });
    await linkGroupsTo(tx, project, { issueId, groupIds: error_group_ids ?? [], actorId });
    return readReports(tx, project.id, report_ids);
  });
}
