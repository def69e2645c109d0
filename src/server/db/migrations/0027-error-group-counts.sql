-- How many releases and hosts a group has, too, so that their number can be limited without counting rows for each
-- event. A group can have releases but no users: nothing can expire then.
alter table error_group_user_counts rename to error_group_counts;
alter table error_group_counts rename column count to users;
alter table error_group_counts rename column seen_since to users_seen_since;
alter table error_group_counts
  alter users set default 0,
  alter users_seen_since set default 'infinity',
  add column releases integer not null default 0,
  add column hosts integer not null default 0;
insert into error_group_counts as c (group_id, releases, hosts)
select group_id, sum(releases), sum(hosts) from (
  select group_id, count(*) as releases, 0 as hosts from error_group_releases group by group_id
  union all select group_id, 0, count(*) from error_group_hosts group by group_id
) counted group by group_id
on conflict (group_id) do update set releases = excluded.releases, hosts = excluded.hosts;
