import { sql } from "kysely";
import { MAX_MONITORS, MONITOR_NUMBERS, type Monitor, type NewMonitor } from "../../shared/monitors.ts";
import { invalid, refused } from "../answers/errors.ts";
import type { Db, Tx } from "../db/connect.ts";
import { lockProject } from "../people/projects/lock-project.ts";
import { recordAudit } from "../record/audit.ts";
import { announceMonitors } from "./check-ins/announce-monitors.ts";
import { readMonitor, type MonitorReader } from "./read-monitors.ts";
import { requireValidSchedule } from "./schedule/require-valid-schedule.ts";
import { toSlug } from "./check-ins/slug.ts";

/** 422 if the schedule is invalid, the slug is taken, or the project has as many monitors as it can have. */
export async function createMonitor(
  db: Db,
  reader: MonitorReader,
  projectId: number,
  body: NewMonitor,
): Promise<Monitor> {
  requireValidSchedule(body.schedule, body.timezone);
  const slug = body.slug ?? toSlug(body.name);
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    if (await isFull(tx, projectId))
      throw refused(`A project can have at most ${MAX_MONITORS} monitors. Delete one first.`);
    const id = await insertMonitor(tx, projectId, { ...body, slug });
    if (id === undefined) throw invalid({ slug: ["is already taken in this project"] });
    await recordAudit(tx, {
      kind: "monitor.created",
      project_id: projectId,
      subject: { type: "monitor", id, name: slug },
      details: { schedule: body.schedule.type },
    });
    return readMonitor(tx, reader, projectId, slug);
  });
}

/** Call it with the project's lock. */
export async function isFull(tx: Tx, projectId: number): Promise<boolean> {
  const { count } = await tx
    .selectFrom("monitors")
    .select(sql<number>`count(*)::int`.as("count"))
    .where("project_id", "=", projectId)
    .executeTakeFirstOrThrow();
  return count >= MAX_MONITORS;
}

/** Returns the new monitor's id; undefined if the slug is taken. */
export async function insertMonitor(
  tx: Tx,
  projectId: number,
  { slug, name, schedule, timezone, ...numbers }: NewMonitor & { slug: string },
): Promise<number | undefined> {
  const numberOf = (column: keyof typeof MONITOR_NUMBERS) =>
    numbers[column] ?? MONITOR_NUMBERS[column].default;
  const row = await tx
    .insertInto("monitors")
    .values({
      project_id: projectId,
      slug,
      name,
      schedule: JSON.stringify(schedule),
      timezone: timezone ?? "UTC",
      margin_minutes: numberOf("margin_minutes"),
      max_runtime_minutes: numberOf("max_runtime_minutes"),
      failure_threshold: numberOf("failure_threshold"),
      recovery_threshold: numberOf("recovery_threshold"),
    })
    .onConflict((conflict) => conflict.columns(["project_id", "slug"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  if (row) await announceMonitors(tx, [{ id: row.id, project_id: projectId }]);
  return row?.id;
}
