import type { FastifyRequest } from "fastify";
import { holds, requirePermission } from "../../access/project-access.ts";
import { READING } from "../../access/readable-kinds.ts";
import { forbidden } from "../../answers/errors.ts";
import { parseId } from "../../answers/validation.ts";
import type { Db } from "../../db/connect.ts";
import type { TargetKind } from "../comments/target.ts";

/**
 * The rules that one permission of the guard cannot express: adding an attachment takes Attachments: Create and permission
 * to read what it is added to. Users who may add attachments may delete their own; Attachments: Delete is required for
 * others. These are `onRequest` hooks.
 */
export function attachmentAccess(db: Db, kind: TargetKind) {
  const mayRead = async (request: FastifyRequest) => requirePermission(request.access, READING[kind].needs);
  return {
    mayRead,
    mayDelete: async (request: FastifyRequest): Promise<void> => {
      await mayRead(request);
      if (holds(request.access, "attachments:delete")) return;
      requirePermission(request.access, "attachments:create");
      const uploader = await findUploader(db, kind, request);
      // Readers know which attachments exist, so an unknown one may become a 404 later.
      if (uploader !== undefined && uploader !== request.caller.user_id)
        throw forbidden(
          "Only the person who added it, or someone with the permission attachments:delete, may do this.",
        );
    },
  };
}

async function findUploader(
  db: Db,
  kind: TargetKind,
  { project, params }: FastifyRequest,
): Promise<number | undefined> {
  const id = parseId((params as { attachmentId?: string }).attachmentId);
  if (id === undefined) return undefined;
  const row = await db
    .selectFrom("attachments")
    .select("user_id")
    .where("project_id", "=", project.id)
    .where(`${kind}_id`, "is not", null)
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.user_id ?? undefined;
}
