import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";

/** Servers record the time every 10 seconds. Without a record for this long, none is considered to have run. */
const MAX_PAUSE = sql`interval '30 seconds'`;

/**
 * Records that a server runs now. If none has run for a while, also records that span, because check-ins of that time may have been
 * lost. Every process calls this.
 */
export async function recordClock(db: Db): Promise<void> {
  await sql`
    with before as (select ran_at from monitor_clock for update),
    gap as (
      insert into monitor_gaps (began_at, ended_at)
      select ran_at, clock_timestamp() from before where ran_at < clock_timestamp() - ${MAX_PAUSE}
      returning id
    )
    -- After the gap has been read: a row that this statement has changed cannot be locked.
    insert into monitor_clock (ran_at) select clock_timestamp() from (select count(*) from gap) recorded
    on conflict (id) do update set ran_at = excluded.ran_at`.execute(db);
}
