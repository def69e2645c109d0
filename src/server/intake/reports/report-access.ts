import type { FastifyRequest } from "fastify";
import type { Permission } from "../../../shared/permissions.ts";
import { holds } from "../../access/project-access.ts";
import { READING } from "../../access/readable-kinds.ts";
import type { Db } from "../../db/connect.ts";
import { forbidden } from "../../answers/errors.ts";

/**
 * What a single permission does not say (service.md 5, decisions.md 2 and 6): whoever created a report as a user may
 * delete it and read its attachments; adding one takes Attachments: Create, and beside it Reports: Read, being the
 * report's creator, or a project token. These run after the guard, as `onRequest` hooks: before the body is read, and
 * without telling whether the report exists.
 */
export function reportAccess(db: Db) {
  const ownOr = (permission: Permission) => async (request: FastifyRequest) => {
    if (holds(request.access, permission) || (await isOwn(db, request))) return;
    throw forbidden(`You need the permission ${permission} in this project.`);
  };
  const readOrOwn = ownOr(READING.report.needs);
  return {
    mayDelete: ownOr("reports:delete"),
    mayReadAttachments: readOrOwn,
    /** Of a route that needs `attachments:create`. */
    mayAttach: async (request: FastifyRequest) => {
      if (request.caller.kind !== "project") await readOrOwn(request);
    },
  };
}

/** A project token acts for its creator, but is not the user who created a report. */
async function isOwn(db: Db, { caller, project, params }: FastifyRequest): Promise<boolean> {
  const { reportId = "" } = params as { reportId?: string };
  if (caller.kind === "project" || !/^[1-9][0-9]{0,15}$/.test(reportId)) return false;
  const row = await db
    .selectFrom("reports")
    .select("id")
    .where("project_id", "=", project.id)
    .where("id", "=", Number(reportId))
    .where("created_by", "=", caller.user_id)
    .executeTakeFirst();
  return row !== undefined;
}
