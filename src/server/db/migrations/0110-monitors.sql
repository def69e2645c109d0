-- Jobs and programs that say when they run.
create table monitors (
  id bigint generated always as identity primary key,
  project_id bigint not null references projects on delete cascade,
  slug text collate "C" not null,
  name text not null,
  schedule jsonb not null,
  timezone text not null default 'UTC',
  margin_minutes integer not null default 1,
  max_runtime_minutes integer not null default 30,
  failure_threshold integer not null default 1,
  recovery_threshold integer not null default 1,
  muted_until timestamptz,
  -- Part of the ping URL. A new URL has the next generation, which ends the earlier one.
  ping_generation integer not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (project_id, slug)
);

create table monitor_environments (
  id bigint generated always as identity primary key,
  monitor_id bigint not null references monitors on delete cascade,
  name text collate "C" not null,
  status text not null default 'waiting'
    check (status in ('waiting', 'ok', 'running', 'failing', 'missed', 'timeout')),
  last_check_in_at timestamptz,
  -- The next expected check-in, and when it counts as missed. Null before the first check-in.
  next_due_at timestamptz,
  missed_at timestamptz,
  -- Check-ins in a row.
  bad_count integer not null default 0,
  good_count integer not null default 0,
  -- An event was made, and the group has not been resolved by the monitor since.
  is_failing boolean not null default false,
  error_group_id bigint references error_groups on delete set null,
  -- The times of the latest check-ins that count against the limit.
  recent timestamptz[] not null default '{}',
  unique (monitor_id, name)
);
create index monitor_environments_missed_at on monitor_environments (missed_at) where missed_at is not null;
create index monitor_environments_error_group_id on monitor_environments (error_group_id)
  where error_group_id is not null;

create table monitor_check_ins (
  id bigint generated always as identity primary key,
  monitor_id bigint not null references monitors on delete cascade,
  environment_id bigint not null references monitor_environments on delete cascade,
  check_in_id uuid not null default gen_random_uuid(),
  status text not null check (status in ('in_progress', 'ok', 'error', 'missed', 'timeout', 'unknown')),
  -- Seconds.
  duration double precision,
  release text,
  trace_id text,
  text text,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  -- The scheduled time that it is for.
  due_at timestamptz,
  -- Only while it runs.
  times_out_at timestamptz,
  -- What is left to do: an event of an error, or resolving the group. A job does it.
  effect text check (effect in ('failed', 'missed', 'timeout', 'resolve')),
  unique (environment_id, check_in_id)
);
create index monitor_check_ins_of_monitor on monitor_check_ins (monitor_id, id);
create index monitor_check_ins_of_environment on monitor_check_ins (environment_id, id);
create index monitor_check_ins_running on monitor_check_ins (times_out_at) where times_out_at is not null;
create index monitor_check_ins_with_effect on monitor_check_ins (id) where effect is not null;
create index monitor_check_ins_started_at on monitor_check_ins (started_at);

-- When a server ran last, and spans in which none did.
create table monitor_clock (
  id boolean primary key default true check (id),
  ran_at timestamptz not null
);
create table monitor_gaps (
  id bigint generated always as identity primary key,
  began_at timestamptz not null,
  ended_at timestamptz not null
);
create index monitor_gaps_ended_at on monitor_gaps (ended_at);

-- Counts the outcome of a check-in of an environment whose row is locked, and returns what is left to do.
create function count_monitor_outcome(environment bigint, outcome text) returns text language plpgsql as $$
declare
  e monitor_environments;
  m monitors;
  is_good boolean := outcome = 'ok';
  is_muted boolean;
  fails boolean;
  recovers boolean;
begin
  select * into e from monitor_environments where id = environment;
  select * into m from monitors where id = e.monitor_id;
  is_muted := coalesce(m.muted_until > clock_timestamp(), false);
  fails := not is_good and not is_muted and (e.is_failing or e.bad_count + 1 >= m.failure_threshold);
  recovers := is_good and e.is_failing and e.good_count + 1 >= m.recovery_threshold;
  update monitor_environments set
    status = case outcome when 'error' then 'failing' else outcome end,
    good_count = case when is_good then e.good_count + 1 else 0 end,
    bad_count = case when is_good then 0 else e.bad_count + 1 end,
    is_failing = (e.is_failing or fails) and not recovers
  where id = environment;
  return case when recovers then 'resolve' when fails then case outcome when 'error' then 'failed' else outcome end end;
end $$;

-- Records a check-in of a monitor, and returns 'recorded', 'too many', or 'unknown' if there is no such monitor. `sent_due`, `sent_next`:
-- the expected time that it meets, if any, and the one after it, as computed from the environment's row with `known_due`.
create function record_check_in(
  sent_monitor bigint, sent_environment text, known_due timestamptz, sent_due timestamptz, sent_next timestamptz,
  sent_id uuid, sent_status text, sent_duration double precision, sent_release text, sent_trace_id text, sent_text text
) returns text language plpgsql as $$
declare
  at timestamptz;
  e monitor_environments;
  m monitors;
  c monitor_check_ins;
  is_final boolean := sent_status <> 'in_progress';
  is_closing boolean;
  is_met boolean;
begin
  select * into m from monitors where id = sent_monitor for key share;
  if not found then return 'unknown'; end if;
  select * into e from monitor_environments where monitor_id = sent_monitor and name = sent_environment for update;
  if not found then
    if (select count(*) from monitor_environments where monitor_id = sent_monitor) >= 100 then return 'too many'; end if;
    insert into monitor_environments (monitor_id, name) values (sent_monitor, sent_environment)
      on conflict (monitor_id, name) do nothing;
    select * into e from monitor_environments where monitor_id = sent_monitor and name = sent_environment for update;
  end if;
  at := clock_timestamp();

  if sent_id is not null then
    select * into c from monitor_check_ins where environment_id = e.id and check_in_id = sent_id;
  elsif is_final then
    select * into c from monitor_check_ins where environment_id = e.id and status = 'in_progress' order by id desc limit 1;
    if c.id is null then
      select * into c from monitor_check_ins where environment_id = e.id and status <> 'missed' order by id desc limit 1;
      if c.status is distinct from 'timeout' then c := null; end if;
    end if;
  end if;
  -- A repeated final status changes nothing.
  if c.status in ('ok', 'error') then return 'recorded'; end if;
  is_closing := is_final and c.id is not null;

  if not is_closing then
    if cardinality(e.recent) >= 6 and e.recent[1] > at - interval '1 minute' then return 'too many'; end if;
    update monitor_environments set recent = (recent || at)[greatest(1, cardinality(recent) - 4):] where id = e.id;
  end if;

  is_met := c.id is null and e.next_due_at is not distinct from known_due and sent_next is not null;
  update monitor_environments set
    last_check_in_at = at,
    next_due_at = case when is_met then sent_next else next_due_at end,
    missed_at = case when is_met then sent_next + m.margin_minutes * interval '1 minute' else missed_at end,
    status = case when is_final or c.status = 'timeout' then status else 'running' end
  where id = e.id;

  if c.id is null then
    insert into monitor_check_ins (monitor_id, environment_id, check_in_id, status, duration, release, trace_id, text,
      started_at, finished_at, due_at, times_out_at)
    values (sent_monitor, e.id, coalesce(sent_id, gen_random_uuid()), sent_status, sent_duration, sent_release, sent_trace_id,
      sent_text, case when is_final then at - coalesce(sent_duration, 0) * interval '1 second' else at end,
      case when is_final then at end, case when is_met then sent_due end,
      case when not is_final then at + m.max_runtime_minutes * interval '1 minute' end)
    returning * into c;
  else
    update monitor_check_ins set
      status = case when is_final then sent_status else status end,
      duration = case when is_final then coalesce(sent_duration, extract(epoch from at - started_at)) else duration end,
      release = coalesce(sent_release, release),
      trace_id = coalesce(sent_trace_id, trace_id),
      text = coalesce(sent_text, text),
      finished_at = case when is_final then at else finished_at end,
      -- A further "in progress" says that it still runs.
      times_out_at = case when not is_final and status = 'in_progress'
        then at + m.max_runtime_minutes * interval '1 minute' end
    where id = c.id;
  end if;
  if is_final then
    update monitor_check_ins set effect = coalesce(count_monitor_outcome(e.id, sent_status), effect) where id = c.id;
  end if;
  return 'recorded';
end $$;

-- Ends the wait for the check-ins that were expected at `times`, of which `next` is the one after the last. They are missed, or unknown
-- if no server ran at that time. Does nothing if the environment is no longer waiting for the first of them.
create function record_missed_check_ins(environment bigint, times timestamptz[], are_unknown boolean, next timestamptz)
returns boolean language plpgsql as $$
declare
  e monitor_environments;
  m monitors;
  expected timestamptz;
begin
  select * into e from monitor_environments where id = environment and next_due_at = times[1] for update;
  if not found then return false; end if;
  select * into m from monitors where id = e.monitor_id;
  update monitor_environments set next_due_at = next, missed_at = next + m.margin_minutes * interval '1 minute'
  where id = environment;
  foreach expected in array times loop
    insert into monitor_check_ins (monitor_id, environment_id, status, due_at, effect)
    values (e.monitor_id, environment, case when are_unknown then 'unknown' else 'missed' end, expected,
      case when not are_unknown then count_monitor_outcome(environment, 'missed') end);
  end loop;
  return true;
end $$;

-- Ends a check-in that has been running for too long. It is unknown how it ended if no server ran for some of the time.
create function record_timeout(check_in bigint, is_unknown boolean) returns boolean language plpgsql as $$
declare
  environment bigint;
begin
  select e.id into environment from monitor_environments e
    where e.id = (select c.environment_id from monitor_check_ins c where c.id = check_in) for update;
  update monitor_check_ins set status = case when is_unknown then 'unknown' else 'timeout' end, times_out_at = null
  where id = check_in and times_out_at <= clock_timestamp();
  if not found then return false; end if;
  if not is_unknown then
    update monitor_check_ins set effect = count_monitor_outcome(environment, 'timeout') where id = check_in;
  end if;
  return true;
end $$;
