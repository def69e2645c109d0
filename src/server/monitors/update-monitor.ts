import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import type { Monitor, MonitorChanges } from "../../shared/monitors.ts";
import type { Db, Tx } from "../db/connect.ts";
import { lockProject } from "../people/projects/lock-project.ts";
import { recordAudit } from "../record/audit.ts";
import { announceMonitors } from "./check-ins/announce-monitors.ts";
import { readMonitor, readMonitorRow, type MonitorReader, type MonitorRow } from "./read-monitors.ts";
import { nextTime } from "./schedule/next-time.ts";
import { requireValidSchedule } from "./schedule/require-valid-schedule.ts";

/** Changes the given fields. 404 if the project has no such monitor, 422 if the schedule is invalid. */
export async function updateMonitor(
  db: Db,
  reader: MonitorReader,
  projectId: number,
  slug: string,
  changes: MonitorChanges,
): Promise<Monitor> {
  requireValidSchedule(changes.schedule, changes.timezone);
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    const before = await readMonitorRow(tx, projectId, slug);
    const fields = await changeMonitor(tx, projectId, before, changes);
    if (fields.length > 0)
      await recordAudit(tx, {
        kind: "monitor.changed",
        project_id: projectId,
        subject: { type: "monitor", id: before.id, name: slug },
        details: { fields },
      });
    return readMonitor(tx, reader, projectId, slug);
  });
}

type Changed = { [name in keyof MonitorChanges]?: NonNullable<MonitorChanges[name]> };

/**
 * Changes the fields that differ, and returns their names. After a change of the schedule, check-ins are expected from its next time on. Call it with the
 * project's lock.
 */
export async function changeMonitor(
  tx: Tx,
  projectId: number,
  before: MonitorRow,
  sent: Partial<MonitorChanges>,
): Promise<string[]> {
  const changes: Changed = Object.fromEntries(
    Object.entries(sent).filter(
      ([name, value]) =>
        value !== undefined && !isDeepStrictEqual(value, before[name as keyof MonitorChanges]),
    ),
  );
  if (Object.keys(changes).length === 0) return [];
  const { schedule, ...columns } = changes;
  await tx
    .updateTable("monitors")
    .set({
      ...columns,
      ...(schedule && { schedule: JSON.stringify(schedule) }),
      updated_at: sql`clock_timestamp()`,
    })
    .where("id", "=", before.id)
    .execute();
  if (schedule !== undefined || changes.timezone !== undefined)
    await expectNext(tx, before.id, { ...before, ...changes });
  else if (changes.margin_minutes !== undefined) await moveDeadlines(tx, before.id);
  await announceMonitors(tx, [{ id: before.id, project_id: projectId }]);
  return Object.keys(changes);
}

async function expectNext(tx: Tx, monitorId: number, scheduled: MonitorRow): Promise<void> {
  const next = new Date(nextTime(scheduled, Date.now())).toISOString();
  await sql`
    update monitor_environments
    set next_due_at = ${next}::timestamptz,
      missed_at = ${next}::timestamptz + ${scheduled.margin_minutes} * interval '1 minute'
    where monitor_id = ${monitorId} and next_due_at is not null`.execute(tx);
}

async function moveDeadlines(tx: Tx, monitorId: number): Promise<void> {
  await sql`
    update monitor_environments e set missed_at = e.next_due_at + m.margin_minutes * interval '1 minute'
    from monitors m where m.id = e.monitor_id and m.id = ${monitorId}`.execute(tx);
}
