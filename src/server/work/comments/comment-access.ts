import type { FastifyRequest } from "fastify";
import type { Api } from "../../access/context.ts";
import { holds, requirePermission } from "../../access/project-access.ts";
import { READING } from "../../access/readable-kinds.ts";
import { parseId } from "../../answers/validation.ts";
import type { Db } from "../../db/connect.ts";
import { forbidden } from "../../answers/errors.ts";
import { noSuchComment } from "./read-comment.ts";
import { TARGETS, type TargetKind } from "./target.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The comment in the path, and the id of its target; set by `mayChange` and `requireComment`. */
    comment: { user_id: number | null; target_id: number } | undefined;
  }
}

/**
 * The rules that one permission of the guard cannot express: writing a comment takes Comments: Create and permission to
 * read what it is on; users who may update that may change any comment on it, others only their own.
 */
export function commentAccess(api: Api, db: Db, kind: TargetKind) {
  if (!api.hasRequestDecorator("comment")) api.decorateRequest("comment");
  const mayRead = async (request: FastifyRequest) => requirePermission(request.access, READING[kind].needs);
  return {
    /** An `onRequest` hook for a route that needs `comments:create`. */
    mayRead,
    /** An `onRequest` hook: it runs before the body is read. */
    mayChange: async (request: FastifyRequest): Promise<void> => {
      if (holds(request.access, TARGETS[kind].update)) return;
      requirePermission(request.access, READING[kind].needs);
      requirePermission(request.access, "comments:create");
      request.comment = await findComment(db, kind, request);
      // Readers know which comments exist, so an unknown one may become a 404 later.
      if (request.comment && request.comment.user_id !== request.caller.user_id)
        throw forbidden(
          `Only the author, or someone with the permission ${TARGETS[kind].update}, may do this.`,
        );
    },
    /** A `preValidation` hook after `loadTarget`, so that an unknown comment is 404 even when the body is invalid. */
    requireComment: async (request: FastifyRequest): Promise<void> => {
      request.comment ??= await findComment(db, kind, request);
      if (request.comment?.target_id !== request.target.id) throw noSuchComment();
    },
  };
}

async function findComment(
  db: Db,
  kind: TargetKind,
  { project, params }: FastifyRequest,
): Promise<FastifyRequest["comment"]> {
  const id = parseId((params as { commentId?: string }).commentId);
  if (id === undefined) return undefined;
  const row = await db
    .selectFrom("comments")
    .select(["user_id", `${kind}_id as target_id`])
    .where("project_id", "=", project.id)
    .where(`${kind}_id`, "is not", null)
    .where("id", "=", id)
    .executeTakeFirst();
  return row as FastifyRequest["comment"];
}
