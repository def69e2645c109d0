import { at } from "./columns.ts";
import { LATEST_AND_COUNT, most, utcDay } from "./groups.ts";
import { FIRST_EVENTS } from "./kept-events.ts";

/** The time of the batch: later than any earlier event. */
const AT = "greatest(excluded.last_seen_at, g.last_seen_at + interval '1 microsecond', g.resolved_at)";
const SPAN = `date_bin('10 minutes', ${AT}, 'epoch')`;
const DAYS = `least(90, ${utcDay(AT)} - ${utcDay("g.last_seen_at")})`;

/** For `set`: what events change in the row `g` of an open group. */
const OPEN_GROUP_CHANGES = `${LATEST_AND_COUNT},
    last_seen_at = ${AT},
    updated_at = ${AT},
    last_seen_span = ${SPAN},
    span_count = excluded.occurrence_count + case when g.last_seen_span = ${SPAN} then g.span_count else 0 end,
    previous_span_count = case g.last_seen_span when ${SPAN} then g.previous_span_count
      when ${SPAN} - interval '10 minutes' then g.span_count else 0 end,
    last_kept_at = case when excluded.last_kept_at is null
      or (g.occurrence_count >= ${FIRST_EVENTS} and g.last_kept_at > ${AT} - interval '1 minute')
      then g.last_kept_at else ${AT} end,
    daily_counts = case when date_bin('1 day', ${AT}, 'epoch') = date_bin('1 day', g.last_seen_at, 'epoch')
      then array[g.daily_counts[1] + excluded.occurrence_count::int] || g.daily_counts[2:]
      else array[excluded.occurrence_count::int] || array_fill(0, array[${DAYS} - 1]) || g.daily_counts[1:90 - ${DAYS}] end,
    last_change = null`;

/**
 * A faster `GROUPS` for groups that exist and are open, as most are: it does not evaluate regressions and snoozes. If a
 * group is new or not open, the whole statement fails afterwards (`HAS_CHANGES`) and is rolled back. Reads the arrays of
 * parameters by index instead of joining them as a table, because each array in a table costs another buffer. Inserted
 * rows have temporary negative ids, which are distinct within the batch.
 */
export const OPEN_GROUPS = `
groups as (
  insert into error_groups as g (
    id, project_id, environment, key, exception_class, last_release, latest_message, context_kind, context_label,
    occurrence_count, daily_counts, first_seen_at, last_seen_at, updated_at, last_seen_span, level, last_kept_at, span_count)
  select -b.place, ${at("project_id", "b.place")}, '', b.key, '', ${at("last_release", "b.place")}, ${at("message", "b.place")},
    ${at("context_kind", "b.place")}, ${at("context_label", "b.place")}, ${at("count", "b.place")},
    array_fill(0, array[90]), clock.now, clock.now, clock.now, clock.now, ${at("level", "b.place")},
    case when ${at("is_only_counted", "b.place")} = 0 then clock.now end, ${at("count", "b.place")}
  from unnest($batch.key::bytea[]) with ordinality as b (key, place)
  cross join (select clock_timestamp() as now offset 0) clock
  order by b.key
  on conflict (key) do update set
    ${OPEN_GROUP_CHANGES}
  returning array_position($batch.key::bytea[], g.key) as place, g.id, g.project_id, g.last_seen_at, (xmax = 0) as is_new,
    g.status, g.occurrence_count, coalesce(g.last_kept_at = g.last_seen_at, false) as is_kept
),
seen as materialized (
  select g.place - 1::bigint as n, g.id, g.project_id, g.last_seen_at as at, g.is_new, false as is_regressed, g.status,
    g.is_kept, g.occurrence_count, g.occurrence_count - ${at("count", "g.place")} as count_before,
    most.releases, most.hosts, most.users
  from groups g
  ${most("g")}
)`;
