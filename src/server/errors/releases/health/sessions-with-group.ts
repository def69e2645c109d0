import { sql } from "kysely";
import { SHARE_DAYS, type SessionsWithError } from "../../../../shared/release-health.ts";
import type { Db } from "../../../db/connect.ts";
import { missingGroup } from "../../../record/merged-groups.ts";

/** The group's events and the project's sessions of the last days. 404 if the project has no such group. */
export async function sessionsWithGroup(
  db: Db,
  projectId: number,
  groupId: number,
): Promise<SessionsWithError> {
  const { rows } = await sql<Omit<SessionsWithError, "days">>`
    select
      (select coalesce(sum(count), 0)::bigint
        from unnest(g.daily_counts[1:${sql.lit(SHARE_DAYS)} - (${TODAY} - (g.last_seen_at at time zone 'UTC')::date)]) count
      ) as events,
      (select coalesce(sum(sessions), 0)::bigint from release_sessions
        where project_id = ${projectId} and hour >= ${FIRST_DAY}) as sessions
    from error_groups g where g.project_id = ${projectId} and g.id = ${groupId}`.execute(db);
  if (!rows[0]) throw await missingGroup(db, projectId, groupId);
  return { days: SHARE_DAYS, ...rows[0] };
}

const TODAY = sql`(now() at time zone 'UTC')::date`;
const FIRST_DAY = sql`date_trunc('day', now(), 'UTC') - make_interval(days => ${sql.lit(SHARE_DAYS - 1)})`;
