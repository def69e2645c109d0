const utcDay = (column: string) => `(${column} at time zone 'UTC')::date`;

/**
 * Stores a batch of events in one statement. The parameters are the columns of groups ($1–$22), releases ($23–$25), hosts
 * ($26–$28) and user hashes ($29–$30), then the retention window in days ($31).
 *
 * Groups are written in the order of their keys, so concurrent batches cannot deadlock. The lock on a group's row covers
 * all rows that belong to it. The time of an event is the database's clock, but never earlier than the group's last event.
 * The batch that gets the lock last is therefore the latest, both in time and in content.
 */
export const STORE_EVENTS = `
with batch as materialized (
  select * from unnest(
    $1::bigint[], $2::bigint[], $3::bytea[], $4::bigint[], $5::bigint[], $6::bigint[],
    $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[],
    $16::text[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[], $22::text[]
  ) as b (
    n, project_id, key, count, memory_peak_bytes, memory_limit_bytes,
    environment, first_release, only_release, last_release, exception_class, message, context_kind, context_label,
    stack_trace, previous_exceptions, exception_code, runtime_name, runtime_version, framework_name,
    framework_version, context)
),
groups as (
  insert into error_groups as g (
    id, project_id, environment, key, exception_class, release, last_release, latest_message, context_kind,
    context_label, occurrence_count, daily_counts, first_seen_at, last_seen_at, updated_at, last_seen_span)
  select
    -- A known group keeps its id, so that repeated events do not consume the sequence.
    coalesce((select known.id from error_groups known where known.key = b.key), nextval('error_groups_id_seq')),
    b.project_id, b.environment, b.key, b.exception_class, b.first_release, b.last_release, b.message, b.context_kind,
    b.context_label, b.count, array[b.count::int] || array_fill(0, array[89]),
    clock.now, clock.now, clock.now, date_bin('10 minutes', clock.now, 'epoch')
  from batch b
  cross join (select clock_timestamp() as now offset 0) clock
  order by b.key
  on conflict (key) do update set
    last_release = excluded.last_release,
    latest_message = excluded.latest_message,
    context_kind = excluded.context_kind,
    context_label = excluded.context_label,
    occurrence_count = g.occurrence_count + excluded.occurrence_count,
    (last_seen_at, updated_at, last_seen_span, daily_counts, status, regressed_at, reopen_count) = (
      select seen.at, seen.at, date_bin('10 minutes', seen.at, 'epoch'),
        array[aged.counts[1] + excluded.daily_counts[1]] || aged.counts[2:],
        case when regression.yes then 0 else g.status end,
        case when regression.yes then seen.at else g.regressed_at end,
        g.reopen_count + regression.yes::int
      from (select greatest(excluded.last_seen_at, g.last_seen_at, g.resolved_at) as at) seen
      cross join lateral (select least(90, ${utcDay("seen.at")} - ${utcDay("g.last_seen_at")}) as days) gap
      cross join lateral (select case when gap.days = 0 then g.daily_counts
        else array_fill(0, array[gap.days]) || g.daily_counts[1:90 - gap.days] end as counts) aged
      -- A resolved group stays resolved only if every event is of the release in which it was resolved.
      cross join lateral (select case when g.status <> 1 then false else (g.resolved_release = (
        select b.only_release from batch b where b.key = g.key)) is not true end as yes offset 0
      ) regression)
  returning g.id, g.project_id, g.key, g.last_seen_at, (xmax = 0) as is_new
),
seen as materialized (
  select b.n, g.id, g.last_seen_at as at
  from groups g join batch b on b.key = g.key
),
details as (
  insert into error_group_details as d (
    group_id, stack_trace, previous_exceptions, exception_code, runtime_name, runtime_version,
    framework_name, framework_version, memory_peak_bytes, memory_limit_bytes, context)
  select s.id, b.stack_trace, b.previous_exceptions, b.exception_code, b.runtime_name, b.runtime_version,
    b.framework_name, b.framework_version, b.memory_peak_bytes, b.memory_limit_bytes, b.context
  from seen s join batch b using (n)
  on conflict (group_id) do update set
    -- Most repeats have the same text. Keeping the old value avoids rewriting it in the TOAST table.
    stack_trace = case when d.stack_trace = excluded.stack_trace then d.stack_trace else excluded.stack_trace end,
    previous_exceptions = case when d.previous_exceptions = excluded.previous_exceptions
      then d.previous_exceptions else excluded.previous_exceptions end,
    exception_code = excluded.exception_code,
    runtime_name = excluded.runtime_name,
    runtime_version = excluded.runtime_version,
    framework_name = excluded.framework_name,
    framework_version = excluded.framework_version,
    memory_peak_bytes = excluded.memory_peak_bytes,
    memory_limit_bytes = excluded.memory_limit_bytes,
    context = excluded.context
),
releases as (
  insert into error_group_releases as r (
    group_id, release_hash, release, occurrence_count, first_seen_at, last_seen_at)
  select s.id, sha256(convert_to(c.release, 'UTF8')), c.release, c.count, s.at, s.at
  from unnest($23::bigint[], $24::text[], $25::bigint[]) with ordinality as c (n, release, count, place)
  join seen s using (n)
  order by c.place
  on conflict (group_id, release_hash) do update set
    occurrence_count = r.occurrence_count + excluded.occurrence_count,
    last_seen_at = excluded.last_seen_at
),
hosts as (
  insert into error_group_hosts as h (group_id, name, count, last_seen_at)
  select s.id, c.name, c.count, s.at
  from unnest($26::bigint[], $27::text[], $28::bigint[]) as c (n, name, count) join seen s using (n)
  on conflict (group_id, name) do update set
    -- A host that was not seen within the window starts from zero, whether or not its row has been deleted yet.
    count = excluded.count + case
      when h.last_seen_at > excluded.last_seen_at - make_interval(days => $31::int) then h.count else 0 end,
    last_seen_at = excluded.last_seen_at
),
users as (
  insert into error_group_users as u (group_id, user_hash, last_seen_at)
  select s.id, c.user_hash, s.at
  from unnest($29::bigint[], $30::bytea[]) as c (n, user_hash) join seen s using (n)
  on conflict (group_id, user_hash) do update set last_seen_at = excluded.last_seen_at
  returning group_id, last_seen_at, (xmax = 0) as is_new
),
user_counts as (
  insert into error_group_user_counts as c (group_id, count, seen_since)
  select group_id, count(*), min(last_seen_at) from users where is_new group by group_id
  on conflict (group_id) do update set count = c.count + excluded.count
),
-- Read later for the email to those who watch the project.
noted as (
  insert into new_error_groups (error_group_id, project_id) select id, project_id from groups where is_new
)
select id, project_id, is_new from groups`;
