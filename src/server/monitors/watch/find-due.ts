import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";
import { announceMonitors } from "../check-ins/announce-monitors.ts";
import { nextTime, type Scheduled } from "../schedule/next-time.ts";
import { HOLES, RECORDED_UNTIL, type RecordRun } from "./server-run.ts";

/** Environments or check-ins in one statement. */
const BATCH = 500;

/** If no server ran for very long, an environment gets this many check-ins of that time at once, and the others are left out. */
const MAX_UNKNOWN = 1_000;

/**
 * Records check-ins that are missed and those that have been running for too long; for times at which no server ran, they are unknown.
 * Any number of processes may call this: each expected time is recorded once.
 */
export async function findDue(db: Db, recordRun: RecordRun, signal?: AbortSignal): Promise<void> {
  await recordRun();
  for (const findBatch of [findMissed, findTimeouts])
    for (let found = true; found;) {
      signal?.throwIfAborted();
      found = await findBatch(db);
    }
}

type Due = Scheduled & {
  id: number;
  monitor_id: number;
  project_id: number;
  name: string;
  margin_minutes: number;
  next_due_at: string;
  now: string;
  /** The end of a span in which no server ran while the check-in was awaited. */
  gap_until: string | null;
};

/** The end of the last span between two columns in which no server ran; null if there is none. */
const gap = (from: string, until: string, least = sql`interval '0'`) =>
  sql`(
    select max(upper(hole)) from holes
    where hole && tstzrange(${sql.ref(from)}, ${sql.ref(until)}, '[]') and upper(hole) - lower(hole) > ${least})`;

/** Returns whether there may be more. */
async function findMissed(db: Db): Promise<boolean> {
  const { rows } = await sql<Due>`
    with holes as materialized (${HOLES})
    select e.id, e.monitor_id, m.project_id, e.name, m.schedule, m.timezone, m.margin_minutes, e.next_due_at,
      clock_timestamp() as now, ${gap("e.next_due_at", "e.missed_at")} as gap_until
    from monitor_environments e join monitors m on m.id = e.monitor_id
    where e.missed_at <= ${RECORDED_UNTIL} order by e.missed_at limit ${BATCH}`.execute(db);
  if (rows.length === 0) return false;
  // In the order in which check-ins lock these rows.
  const missed = rows
    .toSorted((a, b) => a.monitor_id - b.monitor_id || (a.name < b.name ? -1 : 1))
    .map(missedOf);
  await sql`
    select record_missed_check_ins(id, times, are_unknown, next)
    from json_to_recordset(${JSON.stringify(missed)})
      as missed (id bigint, times timestamptz[], are_unknown boolean, next timestamptz)`.execute(db);
  await announceMonitors(db, monitorsOf(rows));
  return true;
}

type Missed = { id: number; times: string[]; are_unknown: boolean; next: string };

function missedOf({ id, next_due_at, margin_minutes, now, gap_until, ...scheduled }: Due): Missed {
  const times = [next_due_at];
  let last = Date.parse(next_due_at);
  let next = nextTime(scheduled, last);
  if (gap_until === null) return { id, times, are_unknown: false, next: iso(next) };
  const end = Math.min(Date.parse(gap_until), Date.parse(now) - margin_minutes * 60_000);
  while (next <= end && times.length < MAX_UNKNOWN) {
    times.push(iso(next));
    last = next;
    next = nextTime(scheduled, last);
  }
  return { id, times, are_unknown: true, next: iso(next <= end ? nextTime(scheduled, end) : next) };
}

const iso = (time: number) => new Date(time).toISOString();

const monitorsOf = (rows: { monitor_id: number; project_id: number }[]) =>
  [...new Map(rows.map(({ monitor_id, project_id }) => [monitor_id, project_id]))].map(
    ([id, project_id]) => ({
      id,
      project_id,
    }),
  );

/** A run that has not ended is still a timeout after a shorter gap: its end most likely came at another time, or was sent again. */
const LONG_GAP = sql`interval '30 seconds'`;

async function findTimeouts(db: Db): Promise<boolean> {
  const { rows } = await sql<{ monitor_id: number; project_id: number }>`
    with holes as materialized (${HOLES})
    select late.monitor_id, late.project_id, record_timeout(late.id, late.is_unknown)
    from (
      select c.id, c.monitor_id, m.project_id, ${gap("c.started_at", "c.times_out_at", LONG_GAP)} is not null as is_unknown
      from (
        select * from monitor_check_ins where times_out_at <= ${RECORDED_UNTIL} order by times_out_at limit ${BATCH}
      ) c
      join monitors m on m.id = c.monitor_id
      join monitor_environments e on e.id = c.environment_id
      order by c.monitor_id, e.name, c.id
    ) late`.execute(db);
  if (rows.length > 0) await announceMonitors(db, monitorsOf(rows));
  return rows.length > 0;
}
