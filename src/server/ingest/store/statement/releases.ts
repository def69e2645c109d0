import { sent } from "./columns.ts";

/** Whether the group has a row of its own for the release. The row "other" counts several releases. */
const hasRelease = (group: string, release: string) => `(${release} <> 'other' and exists (
      select from error_group_releases known
      where known.group_id = ${group} and known.release_hash = sha256(convert_to(${release}, 'UTF8'))))`;

const ALL = `
    select s.id, c.release, c.count, s.at, c.place
    from ${sent("batch_releases", "c", { ordinality: "place" })}
    join seen s using (n)`;

const UP_TO_THE_LIMIT = `${ALL}
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
  from (${mayBeFull ? UP_TO_THE_LIMIT : ALL}
  ) counted
  order by place
  on conflict (group_id, release_hash) do update set
    occurrence_count = r.occurrence_count + excluded.occurrence_count,
    last_seen_at = excluded.last_seen_at
  returning group_id, (xmax = 0) as is_new
)`;
