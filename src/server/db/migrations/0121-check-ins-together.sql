-- Records check-ins, sorted by monitor and environment, and returns what became of each in this order. The usual ones are recorded
-- together: the only check-in of an environment in this batch, with the status "ok" and without an id, of a job that does not fail and
-- that nothing runs or has timed out of. All others are recorded one by one.
create function record_check_ins(
  monitors bigint[], environments text[], known_dues timestamptz[], dues timestamptz[], nexts timestamptz[],
  ids uuid[], statuses text[], durations double precision[], releases text[], trace_ids text[], texts text[]
) returns setof text language plpgsql as $$
declare
  at timestamptz;
  are_recorded boolean[];
begin
  -- Later statements see what was committed until the rows were locked.
  perform from unnest(monitors, environments) as sent (monitor, environment)
    join monitor_environments me on me.monitor_id = sent.monitor and me.name = sent.environment
    order by me.monitor_id, me.name for update of me;
  at := clock_timestamp();

  with sent as materialized (
    select *, count(*) over (partition by monitor, environment) as of_environment
    from unnest(monitors, environments, known_dues, dues, nexts, ids, statuses, durations, releases, trace_ids, texts) with ordinality
      as s (monitor, environment, known_due, due, next, id, status, duration, release, trace_id, text, n)
  ),
  usual as materialized (
    select sent.*, me.id as environment_id, m.margin_minutes,
      me.next_due_at is not distinct from sent.known_due and sent.next is not null as is_met
    from sent
    join monitor_environments me on me.monitor_id = sent.monitor and me.name = sent.environment
    join monitors m on m.id = sent.monitor
    where sent.of_environment = 1 and sent.status = 'ok' and sent.id is null and not me.is_failing
      and not (cardinality(me.recent) >= 6 and me.recent[1] > at - interval '1 minute')
      and not exists (
        select from monitor_check_ins running where running.environment_id = me.id and running.times_out_at is not null)
      and (
        select last.status from monitor_check_ins last where last.environment_id = me.id and last.status <> 'missed'
        order by last.id desc limit 1) is distinct from 'timeout'
  ),
  changed as (
    update monitor_environments me set
      last_check_in_at = at,
      next_due_at = case when is_met then usual.next else me.next_due_at end,
      missed_at = case when is_met then usual.next + usual.margin_minutes * interval '1 minute' else me.missed_at end,
      status = 'ok',
      good_count = me.good_count + 1,
      bad_count = 0,
      recent = (me.recent || at)[greatest(1, cardinality(me.recent) - 4):]
    from usual where me.id = usual.environment_id
  ),
  added as (
    insert into monitor_check_ins (monitor_id, environment_id, check_in_id, status, duration, release, trace_id, text,
      started_at, finished_at, due_at)
    select monitor, environment_id, gen_random_uuid(), 'ok', duration, release, trace_id, text,
      at - coalesce(duration, 0) * interval '1 second', at, case when is_met then due end
    from usual order by n
  )
  select array_agg(usual.n is not null order by sent.n) into are_recorded from sent left join usual using (n);

  for i in 1 .. coalesce(cardinality(monitors), 0) loop
    return next case when are_recorded[i] then 'recorded' else record_check_in(monitors[i], environments[i], known_dues[i], dues[i],
      nexts[i], ids[i], statuses[i], durations[i], releases[i], trace_ids[i], texts[i]) end;
  end loop;
end $$;
