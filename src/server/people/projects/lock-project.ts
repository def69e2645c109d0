import type { Tx } from "../../db/connect.ts";
import { notFound } from "../../answers/errors.ts";

/**
 * Locks the project, so that changes that depend on its other rows are serialized and it cannot be deleted until the
 * transaction ends. 404 if it is already gone.
 */
export async function lockProject(tx: Tx, projectId: number): Promise<void> {
  const row = await tx
    .selectFrom("projects")
    .select("id")
    .where("id", "=", projectId)
    .where("deleted_at", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw noSuchProject();
}

export const noSuchProject = () => notFound("There is no such project.");
