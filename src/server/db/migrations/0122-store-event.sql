-- Stores one event of a group that exists and is open, exactly as the statement for batches does
-- (ingest/store/store-events-sql.ts): PostgreSQL prepares every part of that statement each time, for several groups, new rows and
-- limits, which for one event takes longer than storing it. Returns a null `stored_group` if there is no group with the key. Fails
-- with SB002, and stores nothing, if the group is not open, if the release is new to the project, or if the group has no room for
-- another release, host or user: the statement for batches then stores the event.
create function store_event(
  retention_days integer, sent_key bytea, sent_message text, sent_release text, sent_context_kind text, sent_context_label text,
  sent_level text, sent_stack_trace text, sent_previous_exceptions text, sent_exception_code text, sent_memory_peak_bytes bigint,
  sent_memory_limit_bytes bigint, sent_runtime_name text, sent_runtime_version text, sent_framework_name text,
  sent_framework_version text, sent_context text, sent_event_id uuid, sent_host text, sent_user_hash bytea, sent_pseudonym text,
  sent_tags jsonb, sent_additions text, sent_cut jsonb, sent_is_release_kept boolean,
  out stored_group bigint, out stored_project bigint, out kept integer, out replaced integer, out is_past_first boolean
) language plpgsql as $$
declare
  g record;
  at timestamptz;
  span timestamptz;
  gap integer;
  is_kept boolean;
  hash bytea;
  new_users integer := 0;
  new_releases integer := 0;
  new_hosts integer := 0;
begin
  -- The lock on the group's row protects all rows that belong to it. It allows other transactions to refer to the group.
  select id, project_id, status, occurrence_count + 1 as event_count, last_seen_at, resolved_at, last_kept_at, last_seen_span
  into g from error_groups where key = sent_key for no key update;
  if not found then return; end if;
  if g.status <> 0 then perform fail_for_unexpected_changes(); end if;
  -- Later than any earlier event.
  at := greatest(clock_timestamp(), g.last_seen_at + interval '1 microsecond', g.resolved_at);
  span := date_bin('10 minutes', at, 'epoch');
  gap := least(90, (at at time zone 'UTC')::date - (g.last_seen_at at time zone 'UTC')::date);
  -- One event a minute is kept, and the first ten.
  is_kept := (g.event_count > 10 and g.last_kept_at > at - interval '1 minute') is not true;
  update error_groups set
    last_release = sent_release,
    latest_message = sent_message,
    context_kind = sent_context_kind,
    context_label = sent_context_label,
    level = sent_level,
    occurrence_count = g.event_count,
    last_seen_at = at,
    updated_at = at,
    last_seen_span = span,
    span_count = 1 + case when last_seen_span = span then span_count else 0 end,
    previous_span_count = case last_seen_span when span then previous_span_count
      when span - interval '10 minutes' then span_count else 0 end,
    last_kept_at = case when is_kept then at else last_kept_at end,
    daily_counts = case when gap = 0 then array[daily_counts[1] + 1] || daily_counts[2:]
      else array[1] || array_fill(0, array[gap - 1]) || daily_counts[1:90 - gap] end,
    last_change = null
  where id = g.id;
  stored_group := g.id;
  stored_project := g.project_id;
  kept := is_kept::integer;
  is_past_first := g.event_count >= 10;

  if is_kept and g.event_count > 99 then
    select case when count(*) >= 99 then avg(octet_length(message) + octet_length(stack_trace)
      + octet_length(previous_exceptions) + coalesce(octet_length(additions), 0))::integer end
    into replaced from error_events where group_id = g.id;
  end if;
  -- If the replaced event must be kept, a trigger stores it in `error_events`.
  update error_group_details set
    -- Most repeats have the same text. Keeping the old value avoids rewriting it in the TOAST table.
    stack_trace = case when stack_trace = sent_stack_trace then stack_trace else sent_stack_trace end,
    previous_exceptions = case when previous_exceptions = sent_previous_exceptions
      then previous_exceptions else sent_previous_exceptions end,
    exception_code = sent_exception_code,
    memory_peak_bytes = sent_memory_peak_bytes,
    memory_limit_bytes = sent_memory_limit_bytes,
    runtime_name = sent_runtime_name,
    runtime_version = sent_runtime_version,
    framework_name = sent_framework_name,
    framework_version = sent_framework_version,
    context = sent_context,
    event = nextval('error_events_id_seq'),
    received_at = at,
    reason = case when g.event_count = 1 then 3 when g.event_count <= 10 then 2 when is_kept then 1 else 0 end,
    event_id = sent_event_id,
    level = sent_level,
    release = sent_release,
    host = sent_host,
    pseudonym = sent_pseudonym,
    message = sent_message,
    tags = sent_tags,
    additions = sent_additions,
    cut = sent_cut,
    is_release_kept = sent_is_release_kept,
    has_others = false,
    has_feedback = false
  where group_id = g.id;
  if not found then perform fail_for_unexpected_changes(); end if;

  if sent_release is not null then
    hash := sha256(convert_to(sent_release, 'UTF8'));
    update error_group_releases set occurrence_count = occurrence_count + 1, last_seen_at = at
    where group_id = g.id and release_hash = hash;
    if not found then
      insert into error_group_releases (group_id, release_hash, release, occurrence_count, first_seen_at, last_seen_at)
      values (g.id, hash, sent_release, 1, at, at);
      new_releases := 1;
    end if;
    update release_counts c set events = c.events + 1
    from releases r
    where r.project_id = g.project_id and r.version_hash = hash and r.first_seen_at is not null
      and c.release_id = r.id and c.slot = pg_backend_pid() % 8;
    if not found then
      insert into release_counts as c (release_id, slot, events, new_groups, regressed_groups)
      select id, pg_backend_pid() % 8, 1, 0, 0 from releases
      where project_id = g.project_id and version_hash = hash and first_seen_at is not null
      on conflict (release_id, slot) do update set events = c.events + 1;
      if not found then perform fail_for_unexpected_changes(); end if;
    end if;
  end if;

  if sent_host is not null then
    update error_group_hosts set
      -- A host that was not seen within the window starts from zero, even if its row has not been deleted yet.
      count = 1 + case when last_seen_at > at - make_interval(days => retention_days) then count else 0 end,
      last_seen_at = at
    where group_id = g.id and name = sent_host;
    if not found then
      insert into error_group_hosts (group_id, name, count, last_seen_at) values (g.id, sent_host, 1, at);
      new_hosts := 1;
    end if;
  end if;

  if sent_user_hash is not null then
    update error_group_users set last_seen_at = at where group_id = g.id and user_hash = sent_user_hash;
    if not found then
      insert into error_group_users (group_id, user_hash, last_seen_at) values (g.id, sent_user_hash, at);
      new_users := 1;
    end if;
  end if;

  if new_users + new_releases + new_hosts > 0 then
    if exists (
      select from error_group_counts where group_id = g.id
        and (new_releases > 0 and releases >= 10000 or new_hosts > 0 and hosts >= 10000 or new_users > 0 and users >= 1000000)
    ) then
      perform fail_for_unexpected_changes();
    end if;
    insert into error_group_counts as c (group_id, project_id, users, users_seen_since, releases, hosts)
    values (g.id, g.project_id, new_users, case when new_users > 0 then at else 'infinity' end, new_releases, new_hosts)
    on conflict (group_id) do update set
      users = c.users + excluded.users,
      users_seen_since = least(c.users_seen_since, excluded.users_seen_since),
      releases = c.releases + excluded.releases,
      hosts = c.hosts + excluded.hosts;
  end if;

  if sent_event_id is not null then
    insert into error_event_ids (project_id, event_id, group_id, received_at)
    values (g.project_id, sent_event_id, g.id, at);
  end if;
end $$;
