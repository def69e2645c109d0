import { sql } from "kysely";

/**
 * Reports about the same thing are a cluster: those promoted to an issue, and the duplicates of it, or of a report. A report
 * belongs to at most one issue or original, and no report is its own original, so a cluster is a tree. Its number is that of the
 * report at its root, or minus that of its issue.
 *
 * Whether there is someone besides the author of the report `r` who may want the same. Few reports have anyone.
 */
export const hasOthers = sql`(
  r.promoted_issue_id is not null or r.duplicate_of_report_id is not null or r.duplicate_of_issue_id is not null
  or r.id in (select duplicate_of_report_id from reports where duplicate_of_report_id is not null)
  or exists (
    select from report_subscriptions s
    where s.report_id = r.id and s.confirmed_at is not null and s.email is distinct from lower(r.author_email))
  or exists (select from imported_objects o where o.report_id = r.id and o.other_voices > 0))`;

/** CTEs for `with recursive`: the cluster of each report of `wanted (id)`, as `clusters (report_id, cluster)`. */
export const clustersOfWanted = sql`
  originals (report_id, id) as (
    select id, id from wanted
    union
    select o.report_id, r.duplicate_of_report_id from originals o join reports r on r.id = o.id
    where r.duplicate_of_report_id is not null
  ),
  clusters (report_id, cluster) as (
    select o.report_id, coalesce(-r.promoted_issue_id, -r.duplicate_of_issue_id, r.id)
    from originals o join reports r on r.id = o.id where r.duplicate_of_report_id is null
  )`;

/** CTEs for `with recursive`: how many people want what each cluster of `clusters (cluster)` is about, as `voices (cluster, count)`. */
export const voicesOfClusters = sql`
  members (cluster, id) as (
    (
      select cluster, cluster from clusters where cluster > 0
      union
      select c.cluster, r.id from clusters c join reports r on r.promoted_issue_id = -c.cluster
      union
      select c.cluster, r.id from clusters c join reports r on r.duplicate_of_issue_id = -c.cluster
    )
    union
    select m.cluster, r.id from members m join reports r on r.duplicate_of_report_id = m.id
  ),
  -- Reports without an address count separately: people of the team enter them for others.
  authors as (
    select m.cluster, r.id, lower(r.author_email) as email, r.created_by from members m join reports r on r.id = m.id
  ),
  voices as (
    select cluster, count(distinct person)::int + least(1000000000, coalesce((
      -- The other tracker counts votes without naming the voters.
      select sum(o.other_voices) from members m join imported_objects o on o.report_id = m.id
      where m.cluster = people.cluster), 0))::int as count
    from (
      select cluster, coalesce(email, 'report ' || id) as person from authors
      union all
      select m.cluster, s.email from members m join report_subscriptions s on s.report_id = m.id
      where s.confirmed_at is not null and not exists (
        select from authors a join users u on u.id = a.created_by where a.cluster = m.cluster and fold_case(u.email) = s.email)
    ) people group by cluster
  )`;

/** CTEs for `with recursive`: `duplicates (original_id, ids)` of the reports of `wanted (id)`, with the duplicates of duplicates. */
export const duplicatesOfWanted = sql`
  copies (original_id, id) as (
    select w.id, r.id from wanted w join reports r on r.duplicate_of_report_id = w.id
    union
    select c.original_id, r.id from copies c join reports r on r.duplicate_of_report_id = c.id
  ),
  duplicates as (select original_id, json_agg(id order by id) as ids from copies group by original_id)`;
