import { sql, type RawBuilder } from "kysely";
import { MONITOR_DAYS, type MonitorDays } from "../../shared/monitors.ts";
import type { Db } from "../db/connect.ts";

const BAD = sql`('error', 'missed', 'timeout')`;
const GOOD = sql`('ok')`;

/** The last days of the project's monitors, in the order of their creation. */
export async function listMonitorDays(db: Db, projectId: number): Promise<MonitorDays[]> {
  const today = sql`date_trunc('day', now(), 'UTC')`;
  const { rows } = await sql<MonitorDays>`
    select m.slug, (
      select array_agg(
        case when ${hasCheckIn(BAD)} then 'bad' when ${hasCheckIn(GOOD)} then 'ok' else 'none' end order by day
      )
      from generate_series(0, ${sql.lit(MONITOR_DAYS - 1)}) ago
      cross join lateral (select ${today} - make_interval(hours => 24 * ago) as day) d
    ) as days
    from monitors m where m.project_id = ${projectId} order by m.id`.execute(db);
  return rows;
}

/** Whether the monitor `m` has a check-in with one of the statuses that started on `day`. */
const hasCheckIn = (statuses: RawBuilder<unknown>) => sql`exists (
  select from monitor_check_ins c where c.monitor_id = m.id and c.status in ${statuses}
    and c.started_at >= day and c.started_at < day + make_interval(hours => 24)
)`;
