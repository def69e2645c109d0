import { RETENTION_DAYS, sent } from "./columns.ts";

/** Whether the group has a row of its own for the release. The row "other" counts several releases. */
const hasRelease = (group: string, release: string) => `(${release} <> 'other' and exists (
      select from error_group_releases known
      where known.group_id = ${group} and known.release_hash = sha256(convert_to(${release}, 'UTF8'))))`;

const ALL_RELEASES = `
    select s.id, c.release, c.count, s.at, c.place
    from ${sent("batch_releases", "c", { ordinality: "place" })}
    join seen s using (n)`;

const RELEASES_UP_TO_THE_LIMIT = `${ALL_RELEASES}
    where s.releases is not true or ${hasRelease("s.id", "c.release")}
    union all
    select f.id, 'other', sum(c.count), f.at, 0
    from full_groups f
    join ${sent("batch_releases", "c")} using (n)
    where f.releases and not ${hasRelease("f.id", "c.release")}
    group by f.id, f.at`;

/**
 * Counts the releases of each group. Reads `seen` and, if some groups may be full, `full_groups`. `group_releases`: group_id,
 * is_new.
 */
export const releases = (mayBeFull: boolean): string => `
group_releases as (
  insert into error_group_releases as r (
    group_id, release_hash, release, occurrence_count, first_seen_at, last_seen_at)
  select id, sha256(convert_to(release, 'UTF8')), release, count, at, at
  from (${mayBeFull ? RELEASES_UP_TO_THE_LIMIT : ALL_RELEASES}
  ) counted
  order by place
  on conflict (group_id, release_hash) do update set
    occurrence_count = r.occurrence_count + excluded.occurrence_count,
    last_seen_at = excluded.last_seen_at
  returning group_id, (xmax = 0) as is_new
)`;

const hasHost = (group: string, host: string) => `(${host} <> 'other' and exists (
      select from error_group_hosts known where known.group_id = ${group} and known.name = ${host}))`;

const ALL_HOSTS = `
  select s.id, c.name, c.count, s.at
  from ${sent("batch_hosts", "c")} join seen s using (n)`;

const HOSTS_UP_TO_THE_LIMIT = `${ALL_HOSTS}
  where s.hosts is not true or ${hasHost("s.id", "c.name")}
  union all
  select f.id, 'other', sum(c.count), f.at
  from full_groups f join ${sent("batch_hosts", "c")} using (n)
  where f.hosts and not ${hasHost("f.id", "c.name")}
  group by f.id, f.at`;

/** Counts the hosts of each group. Reads `seen` and, if some groups may be full, `full_groups`. `hosts`: group_id, is_new. */
export const hosts = (mayBeFull: boolean): string => `
hosts as (
  insert into error_group_hosts as h (group_id, name, count, last_seen_at)${mayBeFull ? HOSTS_UP_TO_THE_LIMIT : ALL_HOSTS}
  on conflict (group_id, name) do update set
    -- A host that was not seen within the window starts from zero, even if its row has not been deleted yet.
    count = excluded.count + case
      when h.last_seen_at > excluded.last_seen_at - make_interval(days => ${RETENTION_DAYS}) then h.count else 0 end,
    last_seen_at = excluded.last_seen_at
  returning group_id, (xmax = 0) as is_new
)`;

const USERS_UP_TO_THE_LIMIT = `
  where s.users is not true or exists (
    select from error_group_users known where known.group_id = s.id and known.user_hash = c.user_hash)`;

/** Records when each user was last seen. Reads `seen`. `users`: group_id, last_seen_at, is_new. */
export const users = (mayBeFull: boolean): string => `
users as (
  insert into error_group_users as u (group_id, user_hash, last_seen_at)
  select s.id, c.user_hash, s.at
  from ${sent("batch_users", "c")} join seen s using (n)${mayBeFull ? USERS_UP_TO_THE_LIMIT : ""}
  on conflict (group_id, user_hash) do update set last_seen_at = excluded.last_seen_at
  returning group_id, last_seen_at, (xmax = 0) as is_new
)`;

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
