import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { HttpError } from "../../answers/errors.ts";
import { resolveByMonitor } from "../../errors/groups/set-status.ts";
import { ingest, type Intake } from "../../ingest/pipeline.ts";
import { announceMonitors } from "../check-ins/announce-monitors.ts";
import { failureEvent, groupKeyOf, type PendingEffect } from "./failure-event.ts";

/** Check-ins of one run. The next run does the others. */
const MAX_EFFECTS = 200;

type Row = PendingEffect & { monitor_id: number; is_feature_on: boolean };

/**
 * Stores the events of bad check-ins, and resolves groups after good ones, in the order of the check-ins. Any number of processes may call
 * this: an event counts once by its id, and a check-in resolves its group once.
 */
export async function performEffects(db: Db, intake: () => Intake, signal?: AbortSignal): Promise<void> {
  const { rows } = await sql<Row>`
    select c.id, c.effect, c.release, c.trace_id, c.duration, c.started_at, c.due_at, e.id as environment_id,
      e.name as environment, m.id as monitor_id, m.project_id, m.slug, m.timezone, m.margin_minutes, m.max_runtime_minutes,
      p.deleted_at is null and w.error_tracking_enabled as is_feature_on
    from monitor_check_ins c
    join monitor_environments e on e.id = c.environment_id
    join monitors m on m.id = c.monitor_id
    join projects p on p.id = m.project_id
    join workspaces w on w.id = p.workspace_id
    where c.effect is not null order by c.id limit ${MAX_EFFECTS}`.execute(db);
  for (const row of rows) {
    signal?.throwIfAborted();
    if (row.effect === "resolve") await resolveGroup(db, row);
    else {
      if (row.is_feature_on) await storeEvent(db, intake(), { ...row, effect: row.effect });
      await sql`
        update monitor_check_ins set effect = null where id = ${row.id} and effect = ${row.effect}`.execute(
        db,
      );
    }
  }
  await announceMonitors(
    db,
    rows.map(({ monitor_id: id, project_id }) => ({ id, project_id })),
  );
}

type Failure = Parameters<typeof failureEvent>[0];

async function storeEvent(db: Db, intake: Intake, row: Failure): Promise<void> {
  const sender = {
    projectId: row.project_id,
    client: `monitor ${row.slug}`,
    origin: undefined,
    userAgent: undefined,
  };
  try {
    await ingest(intake, sender, { body: Buffer.from(JSON.stringify(failureEvent(row))) });
  } catch (error) {
    // The project has just been deleted.
    if (error instanceof HttpError && error.status === 404) return;
    throw error;
  }
  const key = groupKeyOf(row);
  await sql`
    update monitor_environments set error_group_id = coalesce(
      (select group_id from error_group_aliases where key = ${key}), (select id from error_groups where key = ${key}))
    where id = ${row.environment_id}`.execute(db);
}

/** Does nothing if the group has been merged into another, which has other errors, too. */
async function resolveGroup(db: Db, row: PendingEffect): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ group_id: number | null }>`
      update monitor_check_ins set effect = null where id = ${row.id} and effect = 'resolve'
      returning (
        select g.id from error_groups g where g.key = ${groupKeyOf(row)} and g.project_id = ${row.project_id}
      ) as group_id`.execute(tx);
    const groupId = rows[0]?.group_id;
    if (groupId) await resolveByMonitor(tx, groupId, row.slug);
  });
}
