import { sql } from "kysely";
import { COMPARED_HOURS, type ReleaseComparison } from "../../../../shared/release-health.ts";
import type { Db } from "../../../db/connect.ts";
import { IS_KEPT, inEnvironment, shareOfOthers } from "./health-columns.ts";

type Release = { id: number; projectId: number; environment: string | undefined };

type Side = {
  hours: number;
  version: string;
  sessions: number;
  crashed: number;
  crash_free_sessions: number;
};

/**
 * The sessions of the release's first hours, and those of as many of the first hours of the release before: the next older one of the
 * same package with sessions. Null without sessions.
 */
export async function compareReleases(db: Db, release: Release): Promise<ReleaseComparison | null> {
  const { id, projectId, environment } = release;
  const where = inEnvironment(environment);
  const { rows } = await sql<Side>`
    with placed as materialized (
      select id, version, substring(version from '^(.+)@') as package, row_number() over (
        order by position_at desc, sort_key desc nulls last, first_seen_at desc nulls last, id desc) as place
      from ordered_releases where project_id = ${projectId}
    ),
    own as (select * from placed where id = ${id}),
    before as (
      select p.* from placed p, own
      where p.place > own.place and p.package is not distinct from own.package and exists (
        select from release_sessions where release_id = p.id and sessions > 0 and ${IS_KEPT} ${where})
      order by p.place limit 1
    ),
    started as (
      select s.*, least(${sql.lit(COMPARED_HOURS)}, extract(epoch from now() - s.hour)::int / 3600 + 1) as hours from own, lateral (
        select min(hour) as hour from release_sessions where release_id = own.id and sessions > 0 and ${IS_KEPT} ${where}
      ) s where s.hour is not null
    )
    select started.hours, r.version, c.*, ${shareOfOthers(sql`c.crashed`, sql`c.sessions`)} as crash_free_sessions
    from started, (select 1 as n, * from own union all select 2, * from before) r
    cross join lateral (
      select min(hour) as hour from release_sessions where release_id = r.id and sessions > 0 and ${IS_KEPT} ${where}
    ) first
    cross join lateral (
      select sum(sessions)::bigint as sessions, sum(crashed)::bigint as crashed from release_sessions
      where release_id = r.id and hour >= first.hour and hour < first.hour + make_interval(hours => started.hours) ${where}
    ) c
    order by r.n`.execute(db);
  const [own, before] = rows;
  if (!own) return null;
  const { hours, sessions, crashed, crash_free_sessions } = own;
  return { hours, sessions, crashed, crash_free_sessions, before: before ? withoutHours(before) : null };
}

const withoutHours = ({ version, sessions, crashed, crash_free_sessions }: Side) => ({
  version,
  sessions,
  crashed,
  crash_free_sessions,
});
