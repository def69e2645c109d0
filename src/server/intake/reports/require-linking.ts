import type { FastifyRequest } from "fastify";
import { requirePermission } from "../../access/project-access.ts";
import { featureRestricted } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";

/** 403 unless the caller may link the project's errors to issues. */
export async function requireLinking(db: Db, { project, access }: FastifyRequest): Promise<void> {
  const { error_tracking_enabled } = await db
    .selectFrom("workspaces")
    .select("error_tracking_enabled")
    .where("id", "=", project.workspace_id)
    .executeTakeFirstOrThrow();
  if (!error_tracking_enabled) throw featureRestricted("Error Tracking");
  requirePermission(access, "error-groups:update");
  requirePermission(access, "issues:read");
}
