import type { Db } from "../db/connect.ts";
import { recordAudit } from "../record/audit.ts";
import { announceMonitors } from "./check-ins/announce-monitors.ts";
import { noSuchMonitor } from "./read-monitors.ts";

/** Deletes the monitor with its check-ins; its error groups stay. 404 if the project has no such monitor. */
export async function deleteMonitor(db: Db, projectId: number, slug: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const monitor = await tx
      .deleteFrom("monitors")
      .where("project_id", "=", projectId)
      .where("slug", "=", slug)
      .returning("id")
      .executeTakeFirst();
    if (!monitor) throw noSuchMonitor();
    await recordAudit(tx, {
      kind: "monitor.deleted",
      project_id: projectId,
      subject: { type: "monitor", id: monitor.id, name: slug },
    });
    await announceMonitors(tx, [{ id: monitor.id, project_id: projectId }]);
  });
}
