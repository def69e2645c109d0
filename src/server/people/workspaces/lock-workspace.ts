import type { Tx } from "../../db/connect.ts";
import { notFound } from "../../answers/errors.ts";

type LockedWorkspace = { name: string; reports_enabled: boolean; error_tracking_enabled: boolean };

/** Locks the workspace, so that changes that depend on its other rows are serialized. 404 if it is already gone. */
export async function lockWorkspace(tx: Tx, workspaceId: number): Promise<LockedWorkspace> {
  const row = await tx
    .selectFrom("workspaces")
    .select(["name", "reports_enabled", "error_tracking_enabled"])
    .where("id", "=", workspaceId)
    .where("deleted_at", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw noSuchWorkspace();
  return row;
}

export const noSuchWorkspace = () => notFound("There is no such workspace.");
