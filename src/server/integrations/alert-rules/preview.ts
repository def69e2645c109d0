import { sql, type RawBuilder } from "kysely";
import {
  MAX_PREVIEWED,
  PREVIEW_DAYS,
  type AlertConditions,
  type AlertPreview,
  type AlertWhen,
} from "../../../shared/alert-rules.ts";
import type { Db } from "../../db/connect.ts";
import { MAX_THING_TEXT } from "../../inform/notify/describe-group.ts";
import { thoseThatMeetConditions } from "./check-conditions.ts";
import { requireFittingKind } from "./check-rule.ts";

/** Groups whose conditions are checked, the latest ones. A preview of more is approximate. */
const MAX_CHECKED = 5_000;

const SINCE = sql`clock_timestamp() - make_interval(days => ${sql.lit(PREVIEW_DAYS)})`;

/** What a rule would have fired for in the last 7 days, without its limit. 422 if its parts do not fit together. */
export async function previewAlertRule(
  db: Db,
  projectId: number,
  { when, if: conditions }: { when: AlertWhen; if: AlertConditions },
): Promise<AlertPreview> {
  requireFittingKind({ when, if: conditions, then: [] });
  switch (when.kind) {
    case "report_created":
      return previewReports(db, sql`r.created_at`, sql`r.project_id = ${projectId}`);
    case "report_waiting": {
      const due = sql`r.created_at + make_interval(days => ${when.days})`;
      return previewReports(
        db,
        due,
        sql`r.project_id = ${projectId} and ${due} <= clock_timestamp()
          and coalesce(r.promoted_at, r.dismissed_at, 'infinity') > ${due}`,
      );
    }
    case "release_new_groups":
      return previewReleases(db, projectId, when.count);
    case "release_crash_free":
      return previewCrashFree(db, projectId, when);
    case "group_users":
      return { count: null, approximate: true, data: [] };
    default:
      return previewGroups(db, projectId, when, conditions);
  }
}

async function previewReports(
  db: Db,
  at: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
): Promise<AlertPreview> {
  const { rows } = await sql<{ count: number; at: string; id: number; title: string }>`
    select count(*) over ()::int as count, ${at} as at, r.id, r.title from reports r
    where ${where} and ${at} > ${SINCE} order by 2 desc, r.id desc limit ${MAX_PREVIEWED}`.execute(db);
  const data = rows.map(({ at: moment, id, title }) => ({ at: moment, report: { id, title } }));
  return { count: rows[0]?.count ?? 0, approximate: false, data };
}

/** A release fires with the first group above the count. */
async function previewReleases(db: Db, projectId: number, above: number): Promise<AlertPreview> {
  const { rows } = await sql<{ count: number; at: string; id: number; version: string }>`
    select count(*) over ()::int as count, g.first_seen_at as at, r.id, r.version
    from (
      select release, first_seen_at, row_number() over (partition by release order by first_seen_at, id) as place
      from error_groups where project_id = ${projectId} and release is not null
    ) g
    join releases r on r.project_id = ${projectId} and r.version_hash = sha256(convert_to(g.release, 'UTF8'))
    where g.place = ${above}::bigint + 1 and g.first_seen_at > ${SINCE}
    order by g.first_seen_at desc, r.id desc limit ${MAX_PREVIEWED}`.execute(db);
  const data = rows.map(({ at, id, version }) => ({ at, release: { id, version } }));
  return { count: rows[0]?.count ?? 0, approximate: false, data };
}

/** A release fires in the first hour in which too many of its sessions have crashed. */
async function previewCrashFree(
  db: Db,
  projectId: number,
  { below, sessions, minutes }: Extract<AlertWhen, { kind: "release_crash_free" }>,
): Promise<AlertPreview> {
  const { rows } = await sql<{ at: string; id: number; version: string }>`
    select min(w.hour) as at, r.id, r.version
    from (
      select release_id, hour, sum(sum(sessions)) over earlier as sessions, sum(sum(crashed)) over earlier as crashed
      from release_sessions where project_id = ${projectId} and hour > ${SINCE} group by release_id, hour
      window earlier as (partition by release_id order by hour
        range between make_interval(mins => ${minutes}) preceding and current row)
    ) w join releases r on r.id = w.release_id
    where w.sessions >= ${sessions} and 1 - w.crashed / w.sessions < ${below}::numeric
    group by r.id, r.version order by 1 desc, r.id desc`.execute(db);
  const data = rows.slice(0, MAX_PREVIEWED).map(({ at, id, version }) => ({ at, release: { id, version } }));
  return { count: rows.length, approximate: true, data };
}

type GroupWhen = Exclude<
  AlertWhen,
  { kind: "report_created" | "report_waiting" | "release_new_groups" | "release_crash_free" | "group_users" }
>;

type Candidate = {
  at: string;
  id: number;
  exception_class: string;
  message: string;
  environment: string;
  events: number;
};

async function previewGroups(
  db: Db,
  projectId: number,
  when: GroupWhen,
  conditions: AlertConditions,
): Promise<AlertPreview> {
  const { rows } = await sql<Candidate>`
    select f.at, g.id, g.exception_class, left(g.latest_message, ${MAX_THING_TEXT}) as message, g.environment, f.events
    from (${candidates(projectId, when)}) f join error_groups g on g.id = f.group_id
    order by f.at desc, g.id desc limit ${MAX_CHECKED + 1}`.execute(db);
  const checked = rows.slice(0, MAX_CHECKED);
  const matching = await thoseThatMeetConditions(db, checked, ({ id }) => ({
    conditions,
    group_id: id,
    event: "latest",
  }));
  // Conditions are checked against the latest events, and counts of the past are known per day.
  const approximate =
    rows.length > MAX_CHECKED ||
    when.kind === "spike" ||
    "count" in when ||
    Object.keys(conditions).length > 0;
  if (when.kind === "project_events") {
    const days = [...Map.groupBy(matching, ({ at }) => at)].filter(
      ([, groups]) => groups.reduce((sum, { events }) => sum + events, 0) > when.count,
    );
    return { count: days.length, approximate, data: days.slice(0, MAX_PREVIEWED).map(([at]) => ({ at })) };
  }
  const data = matching
    .slice(0, MAX_PREVIEWED)
    .map(({ at, events: _events, ...error_group }) => ({ at, error_group }));
  return { count: matching.length, approximate, data };
}

/** Selects `group_id`, `at` and `events`. */
function candidates(projectId: number, when: GroupWhen): RawBuilder<unknown> {
  switch (when.kind) {
    case "new_group":
      return sql`select id as group_id, first_seen_at as at, 0 as events from error_groups
        where project_id = ${projectId} and first_seen_at > ${SINCE}`;
    case "regression":
      return inHistory(projectId, sql`a.kind = 'regressed'`);
    case "snooze_ended":
      return inHistory(projectId, sql`a.kind = 'reopened' and a.actor_id is null`);
    case "spike":
      return sql`select d.group_id, d.at, d.events from (${days(projectId)}) d join projects p on p.id = ${projectId}
        where d.events >= p.spike_events and d.events > p.spike_times * d.usual and d.first_seen_at < d.at - interval '1 day'`;
    case "project_events":
      return sql`select group_id, at, events from (${days(projectId)}) d where events > 0`;
    case "group_events":
    case "group_users":
      return sql`select group_id, at, events from (${days(projectId)}) d where events > ${when.count}`;
  }
}

const inHistory = (projectId: number, kind: RawBuilder<unknown>) => sql`
  select a.group_id, a.created_at as at, 0 as events from error_groups g join error_group_activity a on a.group_id = g.id
  where g.project_id = ${projectId} and g.last_seen_span > ${SINCE} - interval '1 day' and a.created_at > ${SINCE} and ${kind}`;

/** Selects the events of each group on each of the last days (UTC), and the average of the seven days before. */
const days = (projectId: number) => sql`
  select g.id as group_id, g.first_seen_at, day.n,
    greatest(date_trunc('day', g.last_seen_at, 'UTC') - make_interval(days => day.n - 1), ${SINCE}) as at,
    g.daily_counts[day.n] as events,
    (select coalesce(avg(c), 0) from unnest(g.daily_counts[day.n + 1:day.n + 7]) c) as usual
  from error_groups g, generate_series(1, ${sql.lit(PREVIEW_DAYS)}) as day (n)
  where g.project_id = ${projectId} and g.last_seen_span > ${SINCE}
    and date_trunc('day', g.last_seen_at, 'UTC') - make_interval(days => day.n - 2) > ${SINCE}`;
