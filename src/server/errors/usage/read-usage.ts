import { sql } from "kysely";
import { OUTCOMES, type Storm, type Usage, type UsageDay } from "../../../shared/usage.ts";
import type { Db } from "../../db/connect.ts";

/**
 * One entry for each of the last `days` days (UTC), oldest first, and the last storm within 24 hours. Events of the last
 * second may be missing.
 */
export async function readUsage(
  db: Db,
  projectId: number,
  days: number,
  storageQuota: number,
): Promise<Usage> {
  const counts = sql.raw(
    [...OUTCOMES, "stored_bytes"].map((one) => `coalesce(u.${one}, 0) as ${one}`).join(", "),
  );
  const { rows } = await sql<UsageDay>`
    select to_char(d.day, 'YYYY-MM-DD') as day, ${counts}
    from (select (now() at time zone 'UTC')::date - n as day from generate_series(0, ${days}::int - 1) n) d
    left join project_usage u on u.project_id = ${projectId} and u.day = d.day
    order by d.day`.execute(db);
  return { data: rows, storm: await readStorm(db, projectId), storage_quota: storageQuota };
}

async function readStorm(db: Db, projectId: number): Promise<Storm | null> {
  const { rows } = await sql<Storm>`
    select started_at, last_at from project_storms
    where project_id = ${projectId} and last_at > now() - interval '24 hours'`.execute(db);
  return rows[0] ?? null;
}
