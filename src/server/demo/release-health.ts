import { sql } from "kysely";
import type { Tx } from "../db/connect.ts";
import type { ReleaseTime } from "./release-times.ts";
import { at, DAY } from "./times.ts";

/** Sessions are kept for 90 days. */
const KEPT = 89 * DAY;

/**
 * Sessions of each release from its deploy to production to two days after that of the next one: fewer at night, and the share of those
 * that crash differs between releases.
 */
export async function makeSessions(
  tx: Tx,
  projectId: number,
  ids: Map<string, number>,
  { times, now }: { times: ReleaseTime[]; now: number },
): Promise<void> {
  const spans = times.map(({ name, since }, index) => ({
    id: ids.get(name),
    since: at(Math.max(since, now - KEPT)),
    until: at(Math.min(now, (times[index + 1]?.since ?? now) + 2 * DAY)),
    crashes: 3 + (index % 3) * 4,
  }));
  await sql`
    insert into release_sessions (release_id, project_id, environment, hour, sessions, errored, crashed, abnormal)
    select r.id, ${projectId}, 'production', hour, n, n * 3 / 100, (n * r.crashes + 500) / 1000, 0
    from json_to_recordset(${JSON.stringify(spans)}) as r (id bigint, since timestamptz, until timestamptz, crashes int)
    cross join generate_series(date_trunc('hour', r.since, 'UTC'), r.until, interval '1 hour') hour
    cross join lateral (
      select (150 + 110 * sin(pi() * (extract(hour from hour at time zone 'UTC') - 8) / 12))::int as n
    ) numbers`.execute(tx);
  await sql`
    insert into release_user_counts (release_id, environment, day, users, crashed_users, is_closed)
    select release_id, environment, (hour at time zone 'UTC')::date, sum(sessions) / 4, sum(crashed) * 4 / 5, true
    from release_sessions where project_id = ${projectId}
    group by grouping sets ((release_id, environment, (hour at time zone 'UTC')::date), (release_id, environment))`.execute(
    tx,
  );
}
