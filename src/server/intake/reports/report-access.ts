import type { FastifyRequest } from "fastify";
import type { Permission } from "../../../shared/permissions.ts";
import { holds } from "../../access/project-access.ts";
import { READING } from "../../access/readable-kinds.ts";
import type { Db } from "../../db/connect.ts";
import { forbidden } from "../../answers/errors.ts";

/**
 * Access rules that depend on more than one permission. The user who created a report may delete it and read its
 * attachments. Adding an attachment requires Attachments: Create and, unless the caller is a project token, either
 * Reports: Read or being the report's creator.
 *
 * These are `onRequest` hooks that run after the guard: before the body is read, and without revealing whether the report
 * exists.
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
    /** For a route that also needs `attachments:create`. */
    mayAttach: async (request: FastifyRequest) => {
      if (request.caller.kind !== "project") await readOrOwn(request);
    },
  };
}

/** A project token acts on behalf of its creator, but reports created with it have no creator. */
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
