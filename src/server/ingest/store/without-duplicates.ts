import type pg from "pg";
import type { Arrival } from "./event-batch.ts";

/** How long an event id is remembered. An offline client sends an event again days later. */
export const EVENT_ID_DAYS = 7;

/**
 * After this many attempts the batch fails. Each attempt leaves out the ids that other batches have stored in the meantime,
 * so more are rarely needed.
 */
const ATTEMPTS = 4;

/**
 * Stores each event id once. Events whose ids are already known are left out, marked as repeated, and count as stored; `store` is
 * then called again with the rest.
 */
export async function storeOnce<Stored>(
  pool: pg.Pool,
  arrivals: Arrival[],
  store: (arrivals: Arrival[]) => Promise<Stored[]>,
): Promise<Stored[]> {
  let left = firstOfEachId(arrivals);
  for (let attempt = 1; ; attempt++)
    try {
      return await store(left);
    } catch (error) {
      if (!isKnownId(error as DatabaseError) || attempt === ATTEMPTS) throw error;
      left = await withoutKnownIds(pool, left);
      if (left.length === 0) return [];
    }
}

type DatabaseError = { code?: string; constraint?: string };

const isKnownId = ({ code, constraint }: DatabaseError) =>
  code === "23505" && constraint === "error_event_ids_pkey";

const idOf = ({ projectId, event }: Arrival) => `${projectId} ${event.event_id}`;

function firstOfEachId(arrivals: Arrival[]): Arrival[] {
  if (!arrivals.some(({ event }) => event.event_id !== null)) return arrivals;
  const ids = new Set<string>();
  return arrivals.filter((arrival) => {
    if (arrival.event.event_id === null) return true;
    const count = ids.size;
    arrival.isRepeated = ids.add(idOf(arrival)).size === count;
    return !arrival.isRepeated;
  });
}

/** Deletes expired ids first, because the daily job may not have done so yet. */
async function withoutKnownIds(pool: pg.Pool, arrivals: Arrival[]): Promise<Arrival[]> {
  const withId = arrivals.filter(({ event }) => event.event_id !== null);
  const values = [
    withId.map(({ projectId }) => projectId),
    withId.map(({ event }) => event.event_id),
    EVENT_ID_DAYS,
  ];
  await pool.query(FORGET, values);
  const { rows } = await pool.query<{ id: string }>(KNOWN, values);
  const known = new Set(rows.map(({ id }) => id));
  return arrivals.filter((arrival) => {
    arrival.isRepeated = known.has(idOf(arrival));
    return !arrival.isRepeated;
  });
}

const SENT = "unnest($1::bigint[], $2::uuid[]) as sent (project_id, event_id)";
const CUTOFF = "clock_timestamp() - make_interval(days => $3)";

const FORGET = `
delete from error_event_ids i using ${SENT}
where i.project_id = sent.project_id and i.event_id = sent.event_id and i.received_at <= ${CUTOFF}`;

const KNOWN = `
select i.project_id || ' ' || replace(i.event_id::text, '-', '') as id
from ${SENT} join error_event_ids i using (project_id, event_id) where i.received_at > ${CUTOFF}`;
