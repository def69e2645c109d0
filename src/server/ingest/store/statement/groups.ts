import { sent } from "./columns.ts";
import { FIRST_EVENTS } from "./kept-events.ts";
import { MAX_STORED } from "../../../errors/groups/max-stored.ts";
import { SNOOZE_ENDED, snoozeOf } from "./snoozes.ts";

/** The columns of `batch`. `details` reads the others by index, because each column of a table costs a buffer of its own. */
const COLUMNS = [
  "n",
  "project_id",
  "key",
  "count",
  "environment",
  "first_release",
  "only_release",
  "last_release",
  "exception_class",
  "message",
  "context_kind",
  "context_label",
  "level",
  "is_only_counted",
] as const;

/** Whether the group has reached its limits of rows; one index lookup per group. */
export const most = (group: string): string => `left join lateral (
    select c.releases >= ${MAX_STORED.releases} as releases, c.hosts >= ${MAX_STORED.hosts} as hosts,
      c.users >= ${MAX_STORED.users} as users
    from error_group_counts c where c.group_id = ${group}.id offset 0
  ) most on true`;

/** For `set`: what each batch changes in a known group, besides times and status. */
export const LATEST_AND_COUNT = `last_release = excluded.last_release,
    latest_message = excluded.latest_message,
    context_kind = excluded.context_kind,
    context_label = excluded.context_label,
    level = excluded.level,
    occurrence_count = g.occurrence_count + excluded.occurrence_count`;

/** Whether an event of the release `c.release` opens the resolved group `g` again. */
const OPENS = `case when g.resolved_in is null then c.release is distinct from g.resolved_release
            else regresses_in(g.project_id, g.resolved_in, g.resolved_in_release, g.resolved_at,
              g.resolved_after_release, c.release) end`;

/** The first release that opened the resolved group `g` again, or null if events without a release did. */
const REGRESSING_RELEASE = `(
          select c.release from batch b join ${sent("batch_releases", "c", { ordinality: "place" })} using (n)
          where b.key = g.key and ${OPENS} order by c.place limit 1)`;

/**
 * Whether an event of the batch opens the resolved group `g` again. After a plain resolution it stays resolved only if
 * every event is of the release in which it was resolved. An event without a release always opens it.
 */
const REGRESSES = `case when g.resolved_in is null
          then (g.resolved_release = (select b.only_release from batch b where b.key = g.key)) is not true
          else (
            select coalesce(sum(c.count), 0) < max(b.count) or coalesce(bool_or(${OPENS}), false)
            from batch b left join ${sent("batch_releases", "c")} using (n) where b.key = g.key) end`;

/**
 * Inserts or updates the rows of the groups, in the order of their keys, so that concurrent batches cannot deadlock.
 * Every later part must read `seen` (or `groups`) first, and so runs under the locks of its groups:
 *
 * - `batch`: columns of the rows that were sent, one per group, joined by `n` or `key`.
 * - `groups`: id, project_id, key, last_seen_at (the time of this batch), is_new, is_regressed (was resolved, is open now),
 *   regressed_release (of the last regression), linked_issue_id, occurrence_count, is_kept, resolved_release,
 *   ended_snooze (the conditions of the snooze that this batch ended, or null).
 * - `seen`: n, id, project_id, at (= last_seen_at), is_new, is_regressed, status (after this batch), occurrence_count,
 *   count_before (without this batch), is_kept (no event was kept in the last minute, or not all first events were there),
 *   and `releases`, `hosts` and `users`: whether the group has reached the limit of each.
 */
export const GROUPS = `
batch as materialized (select * from ${sent("batch", "b", { only: COLUMNS })}),
groups as (
  insert into error_groups as g (
    id, project_id, environment, key, exception_class, release, last_release, latest_message, context_kind,
    context_label, occurrence_count, daily_counts, first_seen_at, last_seen_at, updated_at, last_seen_span, level,
    last_kept_at, span_count)
  select
    -- A known group keeps its id, so that repeated events do not consume the sequence.
    coalesce((select known.id from error_groups known where known.key = b.key), nextval('error_groups_id_seq')),
    b.project_id, b.environment, b.key, b.exception_class, b.first_release, b.last_release, b.message, b.context_kind,
    b.context_label, b.count, array[b.count::int] || array_fill(0, array[89]),
    clock.now, clock.now, clock.now, date_bin('10 minutes', clock.now, 'epoch'), b.level,
    case when b.is_only_counted = 0 then clock.now end, b.count
  from batch b
  cross join (select clock_timestamp() as now offset 0) clock
  order by b.key
  on conflict (key) do update set
    ${LATEST_AND_COUNT},
    (
      last_seen_at, updated_at, last_seen_span, span_count, previous_span_count, last_kept_at, daily_counts, status,
      regressed_at, regressed_release, reopen_count, snooze_ends_at, snooze_users, last_change
    ) = (
      select seen.at, seen.at, span.start,
        excluded.span_count + case when g.last_seen_span = span.start then g.span_count else 0 end,
        case g.last_seen_span when span.start then g.previous_span_count
          when span.start - interval '10 minutes' then g.span_count else 0 end,
        case when excluded.last_kept_at is null
          or (g.occurrence_count >= ${FIRST_EVENTS} and g.last_kept_at > seen.at - interval '1 minute')
          then g.last_kept_at else seen.at end,
        array[aged.counts[1] + excluded.daily_counts[1]] || aged.counts[2:],
        case when regression.yes or snooze.ends then 0 else g.status end,
        case when regression.yes then seen.at else g.regressed_at end,
        case when regression.yes then ${REGRESSING_RELEASE} else g.regressed_release end,
        g.reopen_count + regression.yes::int,
        case when snooze.ends then null else g.snooze_ends_at end,
        case when snooze.ends then null else snooze.users end,
        case when snooze.ends then ${SNOOZE_ENDED} end
      from (
        -- Later than any earlier event, so that regressed_at = last_seen_at only if this batch is the regression.
        select greatest(excluded.last_seen_at, g.last_seen_at + interval '1 microsecond', g.resolved_at) as at) seen
      cross join lateral (select date_bin('10 minutes', seen.at, 'epoch') as start) span
      cross join lateral (select least(90, ${utcDay("seen.at")} - ${utcDay("g.last_seen_at")}) as days) gap
      cross join lateral (select case when gap.days = 0 then g.daily_counts
        else array_fill(0, array[gap.days]) || g.daily_counts[1:90 - gap.days] end as counts) aged
      cross join lateral (select case when g.status <> 1 then false else ${REGRESSES} end as yes offset 0) regression
      cross join lateral ${snoozeOf("seen.at", "g.occurrence_count + excluded.occurrence_count")} snooze)
  returning g.id, g.project_id, g.key, g.last_seen_at, (xmax = 0) as is_new,
    coalesce(g.regressed_at = g.last_seen_at, false) as is_regressed, g.status, g.regressed_release, g.linked_issue_id, g.occurrence_count,
    coalesce(g.last_kept_at = g.last_seen_at, false) as is_kept, g.resolved_release,
    case when g.last_change = ${SNOOZE_ENDED} then g.snoozed_until end as ended_snooze
),
seen as materialized (
  select b.n, g.id, g.project_id, g.last_seen_at as at, g.is_new, g.is_regressed, g.status, g.is_kept, g.occurrence_count,
    g.occurrence_count - b.count as count_before, most.releases, most.hosts, most.users
  from groups g join batch b on b.key = g.key
  ${most("g")}
),
full_groups as materialized (select * from seen where releases or hosts)`;

export function utcDay(column: string): string {
  return `(${column} at time zone 'UTC')::date`;
}
