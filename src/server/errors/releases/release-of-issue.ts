import { sql, type RawBuilder } from "kysely";

/**
 * Selects the first release that contains all fixes, or nothing if one of them is not released yet. For each fix, `fixes`
 * selects `is_fixed`, the time `at`, and `named`, the release that its resolution names.
 *
 * A fix is in the named release and in newer ones. Without a named release, it is in releases that were first seen after the
 * resolution and are newer than the latest release at that time: a hotfix of an older version does not contain it.
 */
export const releaseOfFixes = (projectId: RawBuilder<unknown>, fixes: RawBuilder<unknown>) => sql`
  select (array_agg(fixed.version order by fixed.first_seen_at desc))[1] as version,
    max(fixed.first_seen_at) as first_seen_at
  from (${fixes}) fix
  left join lateral (
    select n.version, n.first_seen_at
    from (
      select coalesce(release_sort_key(fix.named), case when latest.sort_key is not null then (
        select max(b.sort_key) from releases b
        where b.project_id = ${projectId} and b.sort_key is not null and b.first_seen_at <= fix.at) end) as sort_key
      from (select 1) one left join lateral (
        select b.sort_key from releases b
        where fix.named is null and b.project_id = ${projectId} and b.first_seen_at <= fix.at
        order by b.first_seen_at desc, b.id desc limit 1
      ) latest on true offset 0
    ) base
    join releases n on n.project_id = ${projectId} and n.first_seen_at is not null
    where fix.is_fixed and case
      when fix.named is null then
        n.first_seen_at > fix.at and (n.sort_key > base.sort_key is not false)
      else n.version = fix.named or coalesce(n.sort_key > base.sort_key, n.first_seen_at > (
        select b.first_seen_at from releases b
        where b.project_id = ${projectId} and b.version_hash = sha256(convert_to(fix.named, 'UTF8')))) end
    order by n.first_seen_at limit 1
  ) fixed on true
  having count(*) = count(fixed.version)`;
