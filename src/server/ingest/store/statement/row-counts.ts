/** Counts the new rows of each group. Reads `seen`, `users`, `group_releases` and `hosts`. */
export const ROW_COUNTS = `
counts as (
  insert into error_group_counts as c (group_id, project_id, users, users_seen_since, releases, hosts)
  select group_id, seen.project_id, sum(user_rows), coalesce(min(user_at), 'infinity'), sum(release_rows), sum(host_rows)
  from (
    select group_id, 1 as user_rows, last_seen_at as user_at, 0 as release_rows, 0 as host_rows from users where is_new
    union all select group_id, 0, null, 1, 0 from group_releases where is_new
    union all select group_id, 0, null, 0, 1 from hosts where is_new
  ) added join seen on seen.id = group_id
  group by group_id, seen.project_id
  on conflict (group_id) do update set
    users = c.users + excluded.users,
    users_seen_since = least(c.users_seen_since, excluded.users_seen_since),
    releases = c.releases + excluded.releases,
    hosts = c.hosts + excluded.hosts
)`;
