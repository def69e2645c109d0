/**
 * Rows of an error group: its distinct releases, hosts and user hashes. Further releases and hosts are counted as "other";
 * further users are not counted. A group may exceed this by the events that are stored at the same time.
 */
export const MAX_STORED = { releases: 10_000, hosts: 10_000, users: 1_000_000 };

const utcDay = (column: string) => `(${column} at time zone 'UTC')::date`;

/** Whether the group has a row of its own for the release. The row "other" counts several releases. */
const hasRelease = (group: string, release: string) => `(${release} <> 'other' and exists (
      select from error_group_releases known
      where known.group_id = ${group} and known.release_hash = sha256(convert_to(${release}, 'UTF8'))))`;

const hasHost = (group: string, host: string) => `(${host} <> 'other' and exists (
      select from error_group_hosts known where known.group_id = ${group} and known.name = ${host}))`;

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
  select b.n, g.id, g.last_seen_at as at, most.releases, most.hosts, most.users
  from groups g join batch b on b.key = g.key
  -- Whether the group has as many rows as it may have. For each group one look into an index.
  left join lateral (
    select c.releases >= ${MAX_STORED.releases} as releases, c.hosts >= ${MAX_STORED.hosts} as hosts,
      c.users >= ${MAX_STORED.users} as users
    from error_group_counts c where c.group_id = g.id offset 0
  ) most on true
),
full_groups as materialized (select * from seen where releases or hosts),
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
  select id, sha256(convert_to(release, 'UTF8')), release, count, at, at
  from (
    select s.id, c.release, c.count, s.at, c.place
    from unnest($23::bigint[], $24::text[], $25::bigint[]) with ordinality as c (n, release, count, place)
    join seen s using (n)
    where s.releases is not true or ${hasRelease("s.id", "c.release")}
    union all
    select f.id, 'other', sum(c.count), f.at, 0
    from full_groups f
    join unnest($23::bigint[], $24::text[], $25::bigint[]) as c (n, release, count) using (n)
    where f.releases and not ${hasRelease("f.id", "c.release")}
    group by f.id, f.at
  ) counted
  order by place
  on conflict (group_id, release_hash) do update set
    occurrence_count = r.occurrence_count + excluded.occurrence_count,
    last_seen_at = excluded.last_seen_at
  returning group_id, (xmax = 0) as is_new
),
hosts as (
  insert into error_group_hosts as h (group_id, name, count, last_seen_at)
  select s.id, c.name, c.count, s.at
  from unnest($26::bigint[], $27::text[], $28::bigint[]) as c (n, name, count) join seen s using (n)
  where s.hosts is not true or ${hasHost("s.id", "c.name")}
  union all
  select f.id, 'other', sum(c.count), f.at
  from full_groups f join unnest($26::bigint[], $27::text[], $28::bigint[]) as c (n, name, count) using (n)
  where f.hosts and not ${hasHost("f.id", "c.name")}
  group by f.id, f.at
  on conflict (group_id, name) do update set
    -- A host that was not seen within the window starts from zero, whether or not its row has been deleted yet.
    count = excluded.count + case
      when h.last_seen_at > excluded.last_seen_at - make_interval(days => $31::int) then h.count else 0 end,
    last_seen_at = excluded.last_seen_at
  returning group_id, (xmax = 0) as is_new
),
users as (
  insert into error_group_users as u (group_id, user_hash, last_seen_at)
  select s.id, c.user_hash, s.at
  from unnest($29::bigint[], $30::bytea[]) as c (n, user_hash) join seen s using (n)
  where s.users is not true or exists (
    select from error_group_users known where known.group_id = s.id and known.user_hash = c.user_hash)
  on conflict (group_id, user_hash) do update set last_seen_at = excluded.last_seen_at
  returning group_id, last_seen_at, (xmax = 0) as is_new
),
counts as (
  insert into error_group_counts as c (group_id, users, users_seen_since, releases, hosts)
  select group_id, sum(user_rows), coalesce(min(user_at), 'infinity'), sum(release_rows), sum(host_rows)
  from (
    select group_id, 1 as user_rows, last_seen_at as user_at, 0 as release_rows, 0 as host_rows from users where is_new
    union all select group_id, 0, null, 1, 0 from releases where is_new
    union all select group_id, 0, null, 0, 1 from hosts where is_new
  ) added
  group by group_id
  on conflict (group_id) do update set
    users = c.users + excluded.users,
    users_seen_since = least(c.users_seen_since, excluded.users_seen_since),
    releases = c.releases + excluded.releases,
    hosts = c.hosts + excluded.hosts
),
-- Read later for the email to those who watch the project.
noted as (
  insert into new_error_groups (error_group_id, project_id) select id, project_id from groups where is_new
)
select id, project_id, is_new from groups`;
