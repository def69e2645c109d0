import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";

/** Servers record the time every 10 seconds. One that could not for this long has begun a new run. */
const MAX_PAUSE = sql`interval '30 seconds'`;

/** Records that this process runs now. */
export type RecordRun = () => Promise<void>;

/** Begins the run of this process with the first record. */
export function openServerRun(db: Db): RecordRun {
  let id: number | null = null;
  return async () => {
    const { rows } = await sql<{ id: number }>`
      with renewed as (
        update server_runs set ran_at = greatest(ran_at, clock_timestamp())
        where id = ${id} and ran_at > clock_timestamp() - ${MAX_PAUSE}
        returning id
      ), begun as (
        insert into server_runs (started_at, ran_at)
        select at, at from (select clock_timestamp() as at) now where not exists (select from renewed)
        returning id
      )
      select id from renewed union all select id from begun`.execute(db);
    id = rows[0]?.id ?? null;
  };
}

/** Until when servers have recorded their runs. What is due later is judged after the next record. */
export const RECORDED_UNTIL = sql`(select least(max(ran_at), clock_timestamp()) from server_runs)`;

/** A query of the spans in which no server ran, in the column `hole`. */
export const HOLES = sql`
  select unnest(tstzmultirange(tstzrange(null, max(ran_at))) - range_agg(tstzrange(started_at, ran_at, '[]'))) as hole
  from server_runs`;
