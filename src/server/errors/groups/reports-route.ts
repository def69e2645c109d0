import { sql } from "kysely";
import { z } from "zod";
import { reportAnswer, type Report } from "../../../shared/reports.ts";
import { requireFeature } from "../../access/admission.ts";
import type { Api } from "../../access/context.ts";
import { requirePermission } from "../../access/project-access.ts";
import { READING } from "../../access/readable-kinds.ts";
import type { Db } from "../../db/connect.ts";
import { missingGroup } from "../../record/merged-groups.ts";
import { selectReports } from "../../reports/read-report.ts";
import { groupIdIn } from "./require-group.ts";

/** The reports about an error. Requires the permissions to read error groups and reports. */
export function groupReportsRoute(api: Api) {
  const { needs, feature, area } = READING.error_group;
  api.get(
    "/api/projects/:projectId/error-groups/:errorGroupId/reports",
    {
      config: { needs, feature, area },
      onRequest: async (request) => {
        requireFeature(request, "reports");
        requirePermission(request.access, "reports:read");
      },
      schema: {
        operationId: "listReportsOfErrorGroup",
        summary: "List the reports that came with an error, in queue order",
        description: "Also requires the permission `reports:read`. The feature Reports must be enabled.",
        response: { 200: z.array(reportAnswer) },
      },
    },
    (request) => reportsOfGroup(request.db, request.project.id, groupIdIn(request)),
  );
}

async function reportsOfGroup(db: Db, projectId: number, groupId: number): Promise<Report[]> {
  const group = await db
    .selectFrom("error_groups")
    .select("id")
    .where("project_id", "=", projectId)
    .where("id", "=", groupId)
    .executeTakeFirst();
  if (!group) throw await missingGroup(db, projectId, groupId);
  // The event of a report may have arrived after it.
  return selectReports(
    db,
    projectId,
    sql`and r.id in (
      select id from reports where error_group_id = ${groupId}
      union all
      select w.id from reports w join error_event_ids e on e.project_id = w.project_id and e.event_id = w.error_event_id
      where w.project_id = ${projectId} and w.error_group_id is null and w.error_event_id is not null
        and current_error_group(e.group_id) = ${groupId})`,
  );
}
