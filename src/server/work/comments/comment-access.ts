import type { FastifyRequest } from "fastify";
import type { Permission } from "../../../shared/permissions.ts";
import { holds } from "../../access/project-access.ts";
import { READING } from "../../access/readable-kinds.ts";
import type { Db } from "../../db/connect.ts";
import { forbidden } from "../../answers/errors.ts";
import type { Target } from "./target.ts";

/**
 * What a single permission does not say (decisions.md 3): writing needs Comments: Create beside reading what is
 * commented on; whoever holds Issues: Update (Epics: Update) may change anyone's comment, its author only their own.
 * These run after the guard, as `onRequest` hooks: before the body is read.
 */
export function commentAccess(db: Db, kind: Target["kind"]) {
  const mayRead = async (request: FastifyRequest) => require(request, READING[kind].needs);
  return {
    /** Of a route that needs `comments:create`. */
    mayRead,
    mayChange: async (request: FastifyRequest) => {
      if (holds(request.access, `${kind}s:update`)) return;
      require(request, READING[kind].needs);
      require(request, "comments:create");
      const author = await authorOf(db, kind, request);
      // Which comments there are is known to whoever may read; an unknown one is 404 later.
      if (author !== undefined && author !== request.caller.user_id)
        throw forbidden(`Only its author, or somebody with the permission ${kind}s:update, may do this.`);
    },
  };
}

function require(request: FastifyRequest, permission: Permission) {
  if (!holds(request.access, permission))
    throw forbidden(`You need the permission ${permission} in this project.`);
}

async function authorOf(db: Db, kind: Target["kind"], { project, params }: FastifyRequest) {
  const { commentId = "" } = params as { commentId?: string };
  if (!/^[1-9][0-9]{0,15}$/.test(commentId)) return undefined;
  const row = await db
    .selectFrom("comments")
    .select("user_id")
    .where("project_id", "=", project.id)
    .where(`${kind}_id`, "is not", null)
    .where("id", "=", Number(commentId))
    .executeTakeFirst();
  return row?.user_id;
}
