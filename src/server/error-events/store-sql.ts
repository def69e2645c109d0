/**
 * One statement for a batch of events: $1 the groups, $2 releases, $3 hosts, $4 user hashes, each a JSON array;
 * $5 the retention window in days.
 *
 * Groups are written in the order of their key, so two batches never wait for each other in a circle, and the
 * lock on a group's row covers its days, releases, hosts and users. An event's time is the database's clock, never
 * before what the group has seen: whoever gets the lock last is the latest, in time as well as in content.
 */
export const STORE_EVENTS = `
with batch as materialized (
  select * from json_to_recordset($1::json) as b (
    n int, project_id bigint, environment text, fingerprint text, count int,
    first_release text, only_release text, last_release text, exception_class text, message text,
    stack_trace text, previous_exceptions json, exception_code text, runtime_name text, runtime_version text,
    framework_name text, framework_version text, memory_peak_bytes bigint, memory_limit_bytes bigint,
    context_kind text, context_label text, context json)
),
groups as (
  insert into error_groups as g (
    id, project_id, environment, fingerprint, exception_class, release, last_release,
    latest_message, latest_stack_trace, previous_exceptions, exception_code, runtime_name, runtime_version,
    framework_name, framework_version, memory_peak_bytes, memory_limit_bytes, context_kind, context_label, context,
    occurrence_count, first_seen_at, last_seen_at, updated_at)
  select
    -- A known group keeps its id, so that a repeat takes none from the sequence and ids stay short.
    coalesce(known.id, nextval('error_groups_id_seq')),
    b.project_id, b.environment, decode(b.fingerprint, 'hex'), b.exception_class, b.first_release, b.last_release,
    b.message, b.stack_trace, b.previous_exceptions, b.exception_code, b.runtime_name, b.runtime_version,
    b.framework_name, b.framework_version, b.memory_peak_bytes, b.memory_limit_bytes,
    b.context_kind, b.context_label, b.context,
    b.count, clock.now, clock.now, clock.now
  from batch b
  cross join (select clock_timestamp() as now offset 0) clock
  join projects p on p.id = b.project_id
  left join error_groups known on known.project_id = b.project_id
    and known.environment = b.environment and known.fingerprint = decode(b.fingerprint, 'hex')
  order by b.project_id, b.environment collate "C", b.fingerprint collate "C"
  on conflict (project_id, environment, fingerprint) do update set
    last_release = excluded.last_release,
    latest_message = excluded.latest_message,
    latest_stack_trace = excluded.latest_stack_trace,
    previous_exceptions = excluded.previous_exceptions,
    exception_code = excluded.exception_code,
    runtime_name = excluded.runtime_name,
    runtime_version = excluded.runtime_version,
    framework_name = excluded.framework_name,
    framework_version = excluded.framework_version,
    memory_peak_bytes = excluded.memory_peak_bytes,
    memory_limit_bytes = excluded.memory_limit_bytes,
    context_kind = excluded.context_kind,
    context_label = excluded.context_label,
    context = excluded.context,
    occurrence_count = g.occurrence_count + excluded.occurrence_count,
    (last_seen_at, updated_at, status, regressed_at, reopen_count) = (
      select seen.at, seen.at,
        case when regression.yes then 0 else g.status end,
        case when regression.yes then seen.at else g.regressed_at end,
        g.reopen_count + regression.yes::int
      from (select greatest(excluded.last_seen_at, g.last_seen_at, g.resolved_at) as at) seen
      -- A resolved group stays so only while every event is of the very release it was resolved in.
      cross join lateral (select case when g.status <> 1 then false else (g.resolved_release = (
        select b.only_release from batch b where b.project_id = g.project_id
          and b.environment = g.environment and decode(b.fingerprint, 'hex') = g.fingerprint)) is not true end as yes
      ) regression)
  returning g.id, g.project_id, g.environment, g.fingerprint, g.last_seen_at
),
seen as materialized (
  select b.n, b.count, g.id, g.last_seen_at as at
  from groups g join batch b on b.project_id = g.project_id
    and b.environment = g.environment and decode(b.fingerprint, 'hex') = g.fingerprint
),
days as (
  insert into error_group_days as d (group_id, day, count)
  select id, (at at time zone 'UTC')::date, count from seen
  on conflict (group_id, day) do update set count = d.count + excluded.count
),
releases as (
  insert into error_group_releases as r (
    group_id, release_hash, release, occurrence_count, first_seen_at, last_seen_at)
  select s.id, sha256(convert_to(c."of", 'UTF8')), c."of", c.count, s.at, s.at
  from json_to_recordset($2::json) as c (n int, "of" text, count int) join seen s using (n)
  on conflict (group_id, release_hash) do update set
    occurrence_count = r.occurrence_count + excluded.occurrence_count,
    last_seen_at = excluded.last_seen_at
),
hosts as (
  insert into error_group_hosts as h (group_id, name, count, last_seen_at)
  select s.id, c."of", c.count, s.at
  from json_to_recordset($3::json) as c (n int, "of" text, count int) join seen s using (n)
  on conflict (group_id, name) do update set
    -- A host that was not seen within the window starts anew, whether or not its row is deleted yet.
    count = excluded.count + case
      when h.last_seen_at > excluded.last_seen_at - make_interval(days => $5::int) then h.count else 0 end,
    last_seen_at = excluded.last_seen_at
),
users as (
  insert into error_group_users as u (group_id, user_hash, last_seen_at)
  select s.id, decode(c."of", 'hex'), s.at
  from json_to_recordset($4::json) as c (n int, "of" text, count int) join seen s using (n)
  on conflict (group_id, user_hash) do update set last_seen_at = excluded.last_seen_at
  returning group_id, last_seen_at, (xmax = 0) as is_new
),
user_counts as (
  insert into error_group_user_counts as c (group_id, count, seen_since)
  select group_id, count(*), min(last_seen_at) from users where is_new group by group_id
  on conflict (group_id) do update set count = c.count + excluded.count
)
select n from seen`;
