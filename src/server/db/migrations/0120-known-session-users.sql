-- Known users are no longer written again: only the statement that adds users has changed.
--
-- Adds what a server has counted, and returns how many rows that has added to each project. If a release is new, adds only the
-- releases and returns a null: call it again, in another transaction, because events of a new release wait for its row.
-- `counted` is an array of {project_id, release, environment, hours: [{at, sessions, errored, crashed, abnormal}], failed: [{session,
-- hour, state}], users: [{day, level, hashes, crashed}]}; those in `crashed` are also in `hashes`. `max_users` is the most rows of a
-- count of users.
create or replace function add_sessions(write_id uuid, counted json, max_users bigint)
  returns table (of_project bigint, added_rows bigint) language plpgsql as $$
declare
  targets json;
  added json;
  count_ids bigint[];
  levels integer[];
begin
  insert into releases as r (project_id, version_hash, version, first_seen_at)
  select distinct p.id, sha256(convert_to(c.release, 'UTF8')), c.release, now()
  from json_to_recordset(counted) as c (project_id bigint, release text)
  join projects p on p.id = c.project_id and p.deleted_at is null
  where not exists (
    select from releases known where known.project_id = p.id and known.first_seen_at is not null
      and known.version_hash = sha256(convert_to(c.release, 'UTF8')))
  order by 1, 2
  on conflict (project_id, version_hash) do update set first_seen_at = least(r.first_seen_at, excluded.first_seen_at);
  if found then return query select null::bigint, 0::bigint; return; end if;

  -- One server at a time, so that servers cannot deadlock.
  perform pg_advisory_xact_lock(hashtextextended('add sessions', 0));
  insert into session_writes (id) values (write_id) on conflict do nothing;
  if not found then return; end if;
  delete from session_writes where written_at < now() - interval '1 hour';

  -- Deleting one of the releases waits.
  select coalesce(json_agg(json_build_object('release_id', r.id, 'project_id', r.project_id, 'environment', c.environment,
    'hours', c.hours, 'failed', c.failed, 'users', c.users) order by r.id, c.environment), '[]') into targets
  from json_to_recordset(counted)
    as c (project_id bigint, release text, environment text, hours json, failed json, users json)
  cross join lateral (
    select id, k.project_id from releases k
    where k.project_id = c.project_id and k.version_hash = sha256(convert_to(c.release, 'UTF8')) for key share
  ) r;

  with target as materialized (
    select * from json_to_recordset(targets)
      as t (release_id bigint, project_id bigint, environment text, hours json, failed json)
  ),
  sent as materialized (
    select t.release_id, t.project_id, t.environment, f.* from target t
    cross join json_to_recordset(t.failed) as f (session uuid, hour timestamptz, state smallint)
  ),
  changed as (
    insert into failed_sessions as s (release_id, session, state)
    select release_id, session, state from sent
    on conflict (release_id, session) do update set previous = s.state, state = excluded.state, changed_at = now()
      where excluded.state > s.state
    returning release_id, session, state, previous
  ),
  change as (
    select t.release_id, t.project_id, t.environment, h.at as hour, h.sessions, h.errored, h.crashed, h.abnormal
    from target t cross join json_to_recordset(t.hours)
      as h (at timestamptz, sessions bigint, errored bigint, crashed bigint, abnormal bigint)
    union all
    select s.release_id, s.project_id, s.environment, s.hour, 0, (c.state = 1)::int - (c.previous = 1)::int,
      (c.state = 3)::int - (c.previous = 3)::int, (c.state = 2)::int - (c.previous = 2)::int
    from changed c join sent s on s.release_id = c.release_id and s.session = c.session
  ),
  counted_hours as (
    insert into release_sessions as c (release_id, project_id, environment, hour, sessions, errored, crashed, abnormal)
    select release_id, project_id, environment, hour, sum(sessions), sum(errored), sum(crashed), sum(abnormal) from change
    group by release_id, project_id, environment, hour
    on conflict (release_id, environment, hour) do update set sessions = c.sessions + excluded.sessions,
      errored = c.errored + excluded.errored, crashed = c.crashed + excluded.crashed, abnormal = c.abnormal + excluded.abnormal
    returning release_id, xmax = 0 as is_new
  ),
  new_rows as (
    select release_id from counted_hours where is_new union all select release_id from changed where previous = 0
  )
  select json_agg(json_build_object('release_id', release_id, 'rows', added_here)) into added
  from (select release_id, count(*) as added_here from new_rows group by release_id) per_release;
  return query
    select r.project_id, a.rows from json_to_recordset(added) as a (release_id bigint, rows bigint)
    join releases r on r.id = a.release_id;

  insert into release_user_counts (release_id, environment, day)
  select t.release_id, t.environment, d.day
  from json_to_recordset(targets) as t (release_id bigint, environment text, users json)
  cross join lateral (
    select u.day from json_to_recordset(t.users) as u (day date) union select null where json_array_length(t.users) > 0
  ) d
  on conflict (release_id, environment, day) do nothing;

  -- Servers with many users have already dropped those that a higher level would.
  select array_agg(id), array_agg(level) into count_ids, levels from (
    select k.id, max(u.level) as level from json_to_recordset(targets) as t (release_id bigint, environment text, users json)
    cross join json_to_recordset(t.users) as u (day date, level integer)
    join release_user_counts k on k.release_id = t.release_id and k.environment = t.environment
      and (k.day = u.day or k.day is null)
    group by k.id having max(u.level) > k.level
  ) higher;
  perform sample_release_users(count_ids, levels);

  with sent as materialized (
    select k.id, h.user_hash, bool_or(h.crashed) as crashed
    from json_to_recordset(targets) as t (release_id bigint, environment text, users json)
    cross join json_to_recordset(t.users) as u (day date, hashes bigint[], crashed bigint[])
    join release_user_counts k on k.release_id = t.release_id and k.environment = t.environment
      and (k.day = u.day or k.day is null) and not k.is_closed
    cross join lateral (
      select hash, false from unnest(u.hashes) hash union all select hash, true from unnest(u.crashed) hash
    ) h (user_hash, crashed)
    where h.user_hash & ((1::bigint << k.level) - 1) = 0
    group by k.id, h.user_hash
  ),
  -- `on conflict` locks each known row, which writes it.
  news as (
    select sent.* from sent left join release_users r on r.count_id = sent.id and r.user_hash = sent.user_hash
    where r.count_id is null or (sent.crashed and not r.crashed)
  ),
  added_users as (
    insert into release_users as r (count_id, user_hash, crashed)
    select id, user_hash, crashed from news
    on conflict (count_id, user_hash) do update set crashed = true where excluded.crashed and not r.crashed
    returning count_id, crashed, xmax = 0 as is_new
  ),
  numbers as (
    update release_user_counts k set users = k.users + a.users, crashed_users = k.crashed_users + a.crashed_users
    from (
      select count_id, count(*) filter (where is_new) as users, count(*) filter (where crashed) as crashed_users
      from added_users group by count_id
    ) a
    where k.id = a.count_id
    returning k.release_id, a.users
  )
  select json_agg(json_build_object('release_id', release_id, 'rows', users)) into added from numbers;
  return query
    select r.project_id, a.rows from json_to_recordset(added) as a (release_id bigint, rows bigint)
    join releases r on r.id = a.release_id;

  loop
    select array_agg(id), array_agg(level + 1) into count_ids, levels from release_user_counts
    where users > max_users and release_id in (
      select t.release_id from json_to_recordset(targets) as t (release_id bigint));
    exit when count_ids is null;
    perform sample_release_users(count_ids, levels);
  end loop;
end $$;
