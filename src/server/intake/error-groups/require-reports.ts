import type { FastifyRequest } from "fastify";
import type { Permission } from "../../../shared/permissions.ts";
import { requirePermission } from "../../access/project-access.ts";
import { featureRestricted } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";

/** 403 unless the workspace has the feature Reports and the caller has this permission for them. */
export async function requireReports(
  db: Db,
  { project, access }: FastifyRequest,
  permission: Permission & `reports:${string}`,
): Promise<void> {
  const { reports_enabled } = await db
    .selectFrom("workspaces")
    .select("reports_enabled")
    .where("id", "=", project.workspace_id)
    .executeTakeFirstOrThrow();
  if (!reports_enabled) throw featureRestricted("Reports");
  requirePermission(access, permission);
}
