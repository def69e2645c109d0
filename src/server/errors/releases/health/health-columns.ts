import { sql, type RawBuilder } from "kysely";
import { MAX_HEALTH_DAYS, MAX_HEALTH_ENVIRONMENTS } from "../../../../shared/release-health.ts";

/** Restricts rows to an environment, if one is given. */
export const inEnvironment = (environment: string | undefined) =>
  environment === undefined ? sql`` : sql`and environment = ${environment}`;

/** Sessions that are kept. A job deletes older ones once a day. */
export const IS_KEPT = sql`hour > now() - make_interval(days => ${sql.lit(MAX_HEALTH_DAYS)})`;

const IS_RECENT = sql`hour > now() - interval '24 hours'`;

/** The sessions of all releases of the project in the last 24 hours, for `healthOf`. To be joined once. */
export const recentSessions = (projectId: number, environment: string | undefined) => sql`(
  select sum(sessions) as sessions from release_sessions
  where project_id = ${projectId} and ${IS_RECENT} ${inEnvironment(environment)})`;

/** The JSON of a release's health, for a query that joined `recentSessions` as `recent`. */
export const healthOf = (releaseId: RawBuilder<unknown>, environment: string | undefined) => sql`(
  select json_build_object(
    'sessions', s.sessions, 'errored', s.errored, 'crashed', s.crashed, 'abnormal', s.abnormal,
    'crash_free_sessions', ${shareOfOthers(sql`s.crashed`, sql`s.sessions`)},
    'users', u.users, 'crash_free_users', ${shareOfOthers(sql`u.crashed`, sql`u.users`)}, 'users_exact', u.is_exact,
    'adoption', case when recent.sessions > 0 then s.recent / recent.sessions::float8 end)
  from (
    select coalesce(sum(sessions), 0)::bigint as sessions, coalesce(sum(errored), 0)::bigint as errored,
      coalesce(sum(crashed), 0)::bigint as crashed, coalesce(sum(abnormal), 0)::bigint as abnormal,
      coalesce(sum(sessions) filter (where ${IS_RECENT}), 0) as recent
    from release_sessions where release_id = ${releaseId} and ${IS_KEPT} ${inEnvironment(environment)}
  ) s, (
    select coalesce(sum(users << level), 0)::bigint as users, coalesce(sum(crashed_users << level), 0)::bigint as crashed,
      coalesce(bool_and(level = 0), true) as is_exact
    from release_user_counts where release_id = ${releaseId} and day is null ${inEnvironment(environment)}
  ) u)`;

/** The JSON of the names of a release's environments with sessions. */
export const healthEnvironmentsOf = (releaseId: RawBuilder<unknown>) => sql`(
  select coalesce(json_agg(e.environment order by e.sessions desc, e.environment), '[]')
  from (
    select environment, sum(sessions) as sessions from release_sessions
    where release_id = ${releaseId} and ${IS_KEPT}
    group by environment order by 2 desc, 1 limit ${sql.lit(MAX_HEALTH_ENVIRONMENTS)}
  ) e)`;

/** From 0 to 1. Null if there are none. A crash of a session that was never announced counts, too. */
export const shareOfOthers = (some: RawBuilder<unknown>, all: RawBuilder<unknown>) =>
  sql`case when ${all} > 0 then greatest(0, 1 - ${some} / ${all}::float8) end`;
