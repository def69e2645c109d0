import { sql } from "kysely";
import type { Monitor } from "../../shared/monitors.ts";
import type { Db } from "../db/connect.ts";
import { recordAudit } from "../record/audit.ts";
import type { AuditKind } from "../../shared/audit.ts";
import { announceMonitors } from "./check-ins/announce-monitors.ts";
import { noSuchMonitor, readMonitor, type MonitorReader } from "./read-monitors.ts";

type MonitorRef = { projectId: number; slug: string };

/** Until then, bad check-ins make no events; null ends that. 404 if the project has no such monitor. */
export async function muteMonitor(
  db: Db,
  reader: MonitorReader,
  monitor: MonitorRef,
  until: string | null,
): Promise<Monitor> {
  return changeColumn(db, reader, monitor, {
    column: sql`muted_until = ${until}::timestamptz`,
    kind: until === null ? "monitor.unmuted" : "monitor.muted",
    details: { until },
  });
}

/** Gives the monitor a new ping URL, which ends the earlier one. 404 if the project has no such monitor. */
export async function renewPingUrl(db: Db, reader: MonitorReader, monitor: MonitorRef): Promise<Monitor> {
  return changeColumn(db, reader, monitor, {
    column: sql`ping_generation = ping_generation + 1`,
    kind: "monitor.ping_url_renewed",
    details: {},
  });
}

type Change = { column: ReturnType<typeof sql>; kind: AuditKind; details: Record<string, string | null> };

async function changeColumn(
  db: Db,
  reader: MonitorReader,
  { projectId, slug }: MonitorRef,
  { column, kind, details }: Change,
): Promise<Monitor> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      update monitors set ${column} where project_id = ${projectId} and slug = ${slug} returning id`.execute(
      tx,
    );
    const [row] = rows;
    if (!row) throw noSuchMonitor();
    await recordAudit(tx, {
      kind,
      project_id: projectId,
      subject: { type: "monitor", id: row.id, name: slug },
      details,
    });
    await announceMonitors(tx, [{ id: row.id, project_id: projectId }]);
    return readMonitor(tx, reader, projectId, slug);
  });
}
