import { HttpError } from "../answers/errors.ts";
import type { Db } from "../db/connect.ts";

/** The 404 for a group that the project does not have. If it was merged, `merged_into` is the group that it is now part of. */
export async function missingGroup(db: Db, projectId: number, groupId: number): Promise<HttpError> {
  const merged = await db
    .selectFrom("merged_error_groups")
    .select("merged_into")
    .where("id", "=", groupId)
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return merged
    ? new HttpError(404, "The error group was merged into another one.", { merged_into: merged.merged_into })
    : new HttpError(404, NO_SUCH_GROUP);
}

export const NO_SUCH_GROUP = "There is no such error group.";
