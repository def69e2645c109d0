-- Environments refer to their monitor, so check-ins need no check of their own.
alter table monitor_check_ins drop constraint monitor_check_ins_monitor_id_fkey;

-- As before, with one update of the environment and one of the check-in.
create or replace function record_check_in(
  sent_monitor bigint, sent_environment text, known_due timestamptz, sent_due timestamptz, sent_next timestamptz,
  sent_id uuid, sent_status text, sent_duration double precision, sent_release text, sent_trace_id text, sent_text text
) returns text language plpgsql as $$
declare
  at timestamptz;
  e record;
  c_id bigint;
  c_status text;
  is_final boolean := sent_status <> 'in_progress';
  is_good boolean := sent_status = 'ok';
  is_closing boolean;
  is_met boolean;
  fails boolean := false;
  recovers boolean := false;
  left_to_do text;
begin
  select me.id, me.next_due_at, me.bad_count, me.good_count, me.is_failing, me.recent, m.margin_minutes, m.max_runtime_minutes, m.muted_until,
    m.failure_threshold, m.recovery_threshold into e
  from monitor_environments me join monitors m on m.id = me.monitor_id
  where me.monitor_id = sent_monitor and me.name = sent_environment for update of me;
  if not found then
    perform from monitors where id = sent_monitor for key share;
    if not found then return 'unknown'; end if;
    if (select count(*) from monitor_environments where monitor_id = sent_monitor) >= 100 then return 'too many'; end if;
    insert into monitor_environments (monitor_id, name) values (sent_monitor, sent_environment)
      on conflict (monitor_id, name) do nothing;
    select me.id, me.next_due_at, me.bad_count, me.good_count, me.is_failing, me.recent, m.margin_minutes, m.max_runtime_minutes, m.muted_until,
      m.failure_threshold, m.recovery_threshold into e
    from monitor_environments me join monitors m on m.id = me.monitor_id
    where me.monitor_id = sent_monitor and me.name = sent_environment for update of me;
  end if;
  at := clock_timestamp();

  if sent_id is not null then
    select id, status into c_id, c_status from monitor_check_ins where environment_id = e.id and check_in_id = sent_id;
  elsif is_final then
    select id, status into c_id, c_status from monitor_check_ins
    where environment_id = e.id and times_out_at is not null order by id desc limit 1;
    if c_id is null then
      select id, status into c_id, c_status from monitor_check_ins
      where environment_id = e.id and status <> 'missed' order by id desc limit 1;
      if c_status is distinct from 'timeout' then
        c_id := null;
        c_status := null;
      end if;
    end if;
  end if;
  -- A repeated final status changes nothing.
  if c_status in ('ok', 'error') then return 'recorded'; end if;
  is_closing := is_final and c_id is not null;

  if not is_closing then
    if cardinality(e.recent) >= 6 and e.recent[1] > at - interval '1 minute' then return 'too many'; end if;
    e.recent := (e.recent || at)[greatest(1, cardinality(e.recent) - 4):];
  end if;

  is_met := c_id is null and e.next_due_at is not distinct from known_due and sent_next is not null;
  if is_final then
    fails := not is_good and not coalesce(e.muted_until > at, false)
      and (e.is_failing or e.bad_count + 1 >= e.failure_threshold);
    recovers := is_good and e.is_failing and e.good_count + 1 >= e.recovery_threshold;
    left_to_do := case when recovers then 'resolve' when fails then 'failed' end;
  end if;
  update monitor_environments set
    last_check_in_at = at,
    next_due_at = case when is_met then sent_next else next_due_at end,
    missed_at = case when is_met then sent_next + e.margin_minutes * interval '1 minute' else missed_at end,
    status = case when is_good then 'ok' when is_final then 'failing' when c_status = 'timeout' then status else 'running' end,
    good_count = case when not is_final then good_count when is_good then good_count + 1 else 0 end,
    bad_count = case when not is_final then bad_count when is_good then 0 else bad_count + 1 end,
    is_failing = (is_failing or fails) and not recovers,
    recent = e.recent
  where id = e.id;

  if c_id is null then
    insert into monitor_check_ins (monitor_id, environment_id, check_in_id, status, duration, release, trace_id, text,
      started_at, finished_at, due_at, times_out_at, effect)
    values (sent_monitor, e.id, coalesce(sent_id, gen_random_uuid()), sent_status, sent_duration, sent_release, sent_trace_id,
      sent_text, case when is_final then at - coalesce(sent_duration, 0) * interval '1 second' else at end,
      case when is_final then at end, case when is_met then sent_due end,
      case when not is_final then at + e.max_runtime_minutes * interval '1 minute' end, left_to_do);
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
        then at + e.max_runtime_minutes * interval '1 minute' end,
      effect = coalesce(left_to_do, effect)
    where id = c_id;
  end if;
  return 'recorded';
end $$;
