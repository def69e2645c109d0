import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";
import type { ActiveRule } from "./active-rules.ts";

/** What a rule with a threshold counts now, for a group or for the project. */
export type WindowCount = { rule_id: number; subject_id: number; events: number; is_open: boolean };

const SPAN = sql`date_bin('10 minutes', clock_timestamp(), 'epoch')`;

/** Keeps the complete ten-minute counts of recently seen groups, which error_groups has for at least ten minutes. */
export async function keepGroupCounts(tx: Tx, rules: ActiveRule[]): Promise<void> {
  const projectIds = rules.filter(({ kind }) => kind === "group_events").map(({ project_id }) => project_id);
  if (projectIds.length === 0) return;
  await sql`
    insert into alert_group_counts (group_id, span, events)
    select g.id, complete.span, complete.events from error_groups g
    cross join lateral (values
      (g.last_seen_span, g.span_count), (g.last_seen_span - interval '10 minutes', g.previous_span_count)
    ) complete (span, events)
    where g.project_id = any(${projectIds}::bigint[]) and g.last_seen_span >= now() - interval '20 minutes'
      and complete.events > 0 and complete.span < ${SPAN}
      and not exists (select from alert_group_counts c where c.group_id = g.id and c.span = complete.span)
    order by g.id, complete.span
    on conflict do nothing`.execute(tx);
}

/** The rule's count; `subject_id` is a group of the rule's project, or the project. A window is the ten-minute counts that it touches. */
const COUNTS = sql`
  select r.rule_id, g.id as subject_id, r.count, case r.kind
    when 'group_events' then
      (case when g.last_seen_span = clock.span then g.span_count else 0 end)
        + coalesce((select sum(events) from alert_group_counts c
          where c.group_id = g.id and c.span >= r.since and c.span < clock.span), 0)
    when 'group_users' then (
      select case when n.users > r.count then (
        select count(*) from (
          select from error_group_users u where u.group_id = g.id and u.last_seen_at >= r.since limit r.count + 1) u)
        else 0 end
      from error_group_counts n where n.group_id = g.id)
    end as events
  from rule r cross join clock
  cross join lateral (
    select recent.id from error_groups recent where recent.project_id = r.project_id
      and recent.last_seen_span >= now() - interval '20 minutes' and recent.last_seen_span >= clock.span - interval '10 minutes'
    union
    select f.subject_id from alert_firings f where f.rule_id = r.rule_id and f.is_open
  ) candidate
  join error_groups g on g.id = candidate.id
  where r.kind <> 'project_events'
  union all
  select r.rule_id, r.project_id, r.count, (
    select coalesce(sum(events), 0) from alert_rule_counts c where c.rule_id = r.rule_id and c.span >= r.since)
  from rule r where r.kind = 'project_events'`;

/**
 * The counts that exceed their rule's threshold, unless the rule has fired for the subject within `every_minutes`, and those of
 * open firings that no longer do.
 */
export async function readWindowCounts(tx: Tx, rules: ActiveRule[]): Promise<WindowCount[]> {
  const sent = rules.map(({ id, project_id, kind, when, every_minutes }) => ({
    rule_id: id,
    project_id,
    kind,
    every_minutes,
    ...("count" in when && "minutes" in when ? { count: when.count, minutes: when.minutes } : {}),
  }));
  const { rows } = await sql<WindowCount>`
    with clock as materialized (select ${SPAN} as span),
    rule as materialized (
      select rule_id, project_id, kind, count, every_minutes,
        date_bin('10 minutes', clock_timestamp() - make_interval(mins => minutes), 'epoch') as since
      from json_to_recordset(${JSON.stringify(sent)})
        as r (rule_id bigint, project_id bigint, kind text, count bigint, minutes int, every_minutes int)
    )
    select c.rule_id, c.subject_id, c.events::bigint as events, coalesce(f.is_open, false) as is_open
    from (${COUNTS}) c join rule r using (rule_id)
    left join alert_firings f on f.rule_id = c.rule_id and f.subject_id = c.subject_id
    where case when c.events > c.count
      then f.fired_at is null or f.fired_at <= clock_timestamp() - make_interval(mins => r.every_minutes)
      else f.is_open end
    order by c.rule_id, c.subject_id`.execute(tx);
  return rows;
}
