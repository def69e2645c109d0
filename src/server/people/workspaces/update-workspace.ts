import { sql } from "kysely";
import type { z } from "zod";
import { FEATURES, type workspaceChanges } from "../../../shared/workspaces.ts";
import type { Db } from "../../db/connect.ts";
import { sentColumns } from "../../db/patch-columns.ts";
import { recordAudit, recordAudits } from "../../record/audit.ts";
import { lockWorkspace } from "./lock-workspace.ts";

export async function updateWorkspace(
  db: Db,
  workspaceId: number,
  body: z.output<typeof workspaceChanges>,
): Promise<void> {
  const changes = sentColumns({
    name: body.name,
    reports_enabled: body.features?.reports,
    error_tracking_enabled: body.features?.error_tracking,
  });
  if (!changes) return;
  await db.transaction().execute(async (tx) => {
    const before = await lockWorkspace(tx, workspaceId);
    const { name, ...after } = await tx
      .updateTable("workspaces")
      .set({ ...changes, updated_at: sql`clock_timestamp()` })
      .where("id", "=", workspaceId)
      .returning(["name", "reports_enabled", "error_tracking_enabled"])
      .executeTakeFirstOrThrow();
    const audited = {
      workspace_id: workspaceId,
      subject: { type: "workspace", id: workspaceId, name },
    } as const;
    if (name !== before.name)
      await recordAudit(tx, {
        ...audited,
        kind: "workspace.changed",
        details: { name, name_before: before.name },
      });
    const switched = FEATURES.filter(
      (feature) => after[`${feature}_enabled`] !== before[`${feature}_enabled`],
    );
    await recordAudits(
      tx,
      switched.map((feature) => ({
        ...audited,
        kind: "feature.switched",
        details: { feature, enabled: after[`${feature}_enabled`] },
      })),
    );
  });
}
