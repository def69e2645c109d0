import type { ProjectStorage } from "../../shared/attachments.ts";
import { invalid } from "../answers/errors.ts";
import type { Db, Tx } from "../db/connect.ts";

/** The size of the project's attachments, and the quota for it; null for none. */
export async function readStorage(
  db: Db | Tx,
  projectId: number,
  quota: number | undefined,
): Promise<ProjectStorage> {
  const row = await db
    .selectFrom("project_storage")
    .select("bytes")
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return { bytes: row?.bytes ?? 0, quota: quota ?? null };
}

/**
 * 422 on the field if the project's attachments exceed the quota. Call it after inserting attachments: the insert locks
 * the project's sum, so that uploads at the same time cannot exceed the quota together.
 */
export async function requireQuota(
  tx: Tx,
  projectId: number,
  quota: number | undefined,
  field: string,
): Promise<void> {
  if (quota === undefined) return;
  const { bytes } = await readStorage(tx, projectId, quota);
  if (bytes > quota)
    throw invalid({
      [field]: [
        "exceeds the storage quota of the project: delete attachments, reports with attachments, or source maps first",
      ],
    });
}
