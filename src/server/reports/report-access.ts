import type { FastifyRequest } from "fastify";
import type { Permission } from "../../shared/permissions.ts";
import type { Api } from "../access/context.ts";
import { holds, missingPermission } from "../access/project-access.ts";
import { READING } from "../access/readable-kinds.ts";
import { parseId } from "../answers/validation.ts";
import type { Db } from "../db/connect.ts";
import { noSuchReport } from "./read-report.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The report in the path; undefined if it was not looked up, or the project has no such report. */
    report: { id: number; created_by: number | null } | undefined;
  }
}

/**
 * Access rules that depend on more than one permission. The user who created a report may delete it and read its
 * attachments. Adding an attachment requires Attachments: Create and, unless the caller is a project token, either
 * Reports: Read or being the report's creator.
 *
 * These are `onRequest` hooks that run after the guard: before the body is read, and without revealing whether the report
 * exists.
 */
export function reportAccess(api: Api, db: Db) {
  if (!api.hasRequestDecorator("report")) api.decorateRequest("report");
  const ownOr = (permission: Permission) => async (request: FastifyRequest) => {
    if (holds(request.access, permission) || (await isOwn(db, request))) return;
    throw missingPermission(permission);
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
async function isOwn(db: Db, request: FastifyRequest): Promise<boolean> {
  if (request.caller.kind === "project") return false;
  request.report = await findReport(db, request);
  return request.report?.created_by === request.caller.user_id;
}

/** 404 if the project has no such report. Reads it only if a hook has not done so. */
export async function requireReport(db: Db, request: FastifyRequest): Promise<void> {
  request.report ??= await findReport(db, request);
  if (!request.report) throw noSuchReport();
}

async function findReport(db: Db, { project, params }: FastifyRequest): Promise<FastifyRequest["report"]> {
  const id = parseId((params as { reportId?: string }).reportId);
  if (id === undefined) return undefined;
  return db
    .selectFrom("reports")
    .select(["id", "created_by"])
    .where("project_id", "=", project.id)
    .where("id", "=", id)
    .executeTakeFirst();
}
