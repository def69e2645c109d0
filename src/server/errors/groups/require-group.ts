import type { FastifyRequest } from "fastify";
import { childId } from "../../answers/validation.ts";
import type { Db } from "../../db/connect.ts";
import { missingGroup, NO_SUCH_GROUP } from "../../record/merged-groups.ts";

/** The id of the error group in the path. 404 unless it is a positive integer. */
export const groupIdIn = (request: FastifyRequest): number => childId(request, "errorGroupId", NO_SUCH_GROUP);

/** A `preValidation` hook, so that an unknown or merged group is 404 even when the body is invalid. */
export function requireGroup(db: Db) {
  return async (request: FastifyRequest): Promise<void> => {
    const id = groupIdIn(request);
    const group = await db
      .selectFrom("error_groups")
      .select("id")
      .where("project_id", "=", request.project.id)
      .where("id", "=", id)
      .executeTakeFirst();
    if (!group) throw await missingGroup(db, request.project.id, id);
  };
}
