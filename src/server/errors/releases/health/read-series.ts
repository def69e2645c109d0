import { sql } from "kysely";
import type { ReleaseHealthPoint, ReleaseHealthQuery } from "../../../../shared/release-health.ts";
import type { Db } from "../../../db/connect.ts";
import { inEnvironment } from "./health-columns.ts";

/** The release's sessions per hour or UTC day, oldest first. Users are counted per day. */
export async function readSeries(
  db: Db,
  releaseId: number,
  { environment, interval, days }: ReleaseHealthQuery,
): Promise<ReleaseHealthPoint[]> {
  const where = inEnvironment(environment);
  const since =
    interval === "hour"
      ? sql`now() - make_interval(days => ${days})`
      : sql`date_trunc('day', now(), 'UTC') - make_interval(days => ${days} - 1)`;
  const users =
    interval === "hour"
      ? sql`null::bigint`
      : sql`(select coalesce(sum(users << level), 0)::bigint from release_user_counts
          where release_id = ${releaseId} and day = (at at time zone 'UTC')::date ${where})`;
  const { rows } = await sql<ReleaseHealthPoint>`
    select at, sessions, errored, crashed, abnormal, ${users} as users from (
      select date_trunc(${interval}, hour, 'UTC') as at, sum(sessions)::bigint as sessions, sum(errored)::bigint as errored,
        sum(crashed)::bigint as crashed, sum(abnormal)::bigint as abnormal
      from release_sessions where release_id = ${releaseId} and hour >= ${since} ${where}
      group by 1
    ) counted order by at`.execute(db);
  return rows;
}
