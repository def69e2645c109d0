import { sql } from "kysely";
import { DETAIL_DAYS } from "../../../shared/error-groups.ts";
import { MAX_NAMED_RELEASES, type DayWithoutError } from "../../../shared/releases.ts";
import type { Db } from "../../db/connect.ts";
import { missingGroup } from "../../record/merged-groups.ts";

/**
 * The days of the error's chart with new releases of the project that do not have the error, oldest first. A release is new
 * when it was deployed to the group's environment, or first seen if it has no deploys. 404 if the project has no such group.
 */
export async function daysWithoutGroup(
  db: Db,
  projectId: number,
  groupId: number,
): Promise<DayWithoutError[]> {
  const group = await db
    .selectFrom("error_groups")
    .select("environment")
    .where("project_id", "=", projectId)
    .where("id", "=", groupId)
    .executeTakeFirst();
  if (!group) throw await missingGroup(db, projectId, groupId);
  const { rows } = await sql<DayWithoutError>`
    with sighted as (
      select r.version, r.version_hash, r.first_seen_at as at from releases r
      where r.project_id = ${projectId} and r.first_seen_at >= ${since}
        and not exists (select from release_deploys d where d.release_id = r.id)
      union all
      select r.version, r.version_hash, d.deployed_at
      from releases r join release_deploys d on d.release_id = r.id
      where r.project_id = ${projectId} and d.deployed_at >= ${since} and d.deployed_at <= now()
        and (d.environment is null or d.environment = ${group.environment})
    ), by_day as (
      select (at at time zone 'UTC')::date as day, version, max(at) as at from sighted s
      where not exists (select from error_group_releases own
        where own.group_id = ${groupId} and own.release_hash = s.version_hash)
      group by 1, 2
    )
    select day::text as day, count(*)::int as releases_count,
      (array_agg(version order by at desc, version))[1:${sql.lit(MAX_NAMED_RELEASES)}] as versions
    from by_day group by by_day.day order by by_day.day`.execute(db);
  return rows;
}

/** The start of the chart's first day. */
const since = sql`(date_trunc('day', now(), 'UTC') - make_interval(days => ${sql.lit(DETAIL_DAYS - 1)}))`;
