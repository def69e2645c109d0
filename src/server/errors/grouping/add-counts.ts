import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";
import type { Merge } from "./merge.ts";

/**
 * Adds the counts of the sources to the target: totals, days, releases, hosts, and the union of the users. The target's
 * fields about its first and its latest event come from the first and the latest event of all groups.
 */
export async function addCounts(tx: Tx, merge: Merge, retentionDays: number): Promise<void> {
  await addToGroup(tx, merge);
  await addReleases(tx, merge);
  await addHosts(tx, merge, retentionDays);
  await addUsers(tx, merge);
  await countRows(tx, merge);
}

/** A snooze of the target counts events since it began, so the sources' events are added to its end, too. */
async function addToGroup(tx: Tx, { targetId, sourceIds, latestId }: Merge): Promise<void> {
  const day = (column: string) => sql`(${sql.ref(column)} at time zone 'UTC')::date`;
  await sql`
    with merged as materialized (
      select * from error_groups where id = any(${[targetId, ...sourceIds]}::bigint[])
    ),
    latest as (select * from merged where id = ${latestId}),
    earliest as (select * from merged order by first_seen_at, id limit 1),
    total as (
      select sum(occurrence_count)::bigint as events, sum(occurrence_count) filter (where id <> ${targetId})::bigint as added,
        sum(reopen_count)::int as reopened, max(last_kept_at) as last_kept_at, min(linked_issue_id) as linked_issue_id,
        min(linked_at) as linked_at
      from merged
    ),
    spans as (
      select coalesce(sum(m.span_count) filter (where is_last), 0)::int as last,
        coalesce(sum(case when is_last then m.previous_span_count when is_previous then m.span_count end), 0)::int as previous
      from merged m cross join latest l cross join lateral (
        select m.last_seen_span = l.last_seen_span as is_last,
          m.last_seen_span = l.last_seen_span - interval '10 minutes' as is_previous) span
    ),
    days as (
      select array_agg(least(count, 2147483647)::int order by n) as counts from (
        select n, coalesce(sum(m.daily_counts[n - (${day("l.last_seen_at")} - ${day("m.last_seen_at")})]), 0) as count
        from generate_series(1, 90) n cross join merged m cross join latest l group by n
      ) added
    )
    update error_groups g set
      release = e.release, first_seen_at = e.first_seen_at,
      last_release = l.last_release, latest_message = l.latest_message, context_kind = l.context_kind,
      context_label = l.context_label, level = l.level, last_seen_at = l.last_seen_at, last_seen_span = l.last_seen_span,
      occurrence_count = t.events, daily_counts = d.counts, reopen_count = t.reopened, last_kept_at = t.last_kept_at,
      span_count = s.last, previous_span_count = s.previous,
      snooze_ends_count = g.snooze_ends_count + t.added,
      linked_issue_id = t.linked_issue_id, linked_at = case when t.linked_issue_id is not null then t.linked_at end,
      updated_at = clock_timestamp()
    from latest l, earliest e, total t, days d, spans s
    where g.id = ${targetId}`.execute(tx);
  // The page lists its groups.
  await sql`
    update issues i set updated_at = clock_timestamp()
    from error_groups g where g.id = ${targetId} and i.id = g.linked_issue_id`.execute(tx);
}

async function addReleases(tx: Tx, { targetId, sourceIds }: Merge): Promise<void> {
  await sql`
    insert into error_group_releases as r (
      group_id, release_hash, release, occurrence_count, first_seen_at, last_seen_at)
    select ${targetId}, release_hash, min(release), sum(occurrence_count), min(first_seen_at), max(last_seen_at)
    from error_group_releases where group_id = any(${sourceIds}::bigint[])
    group by release_hash order by min(first_seen_at), min(appearance)
    on conflict (group_id, release_hash) do update set
      occurrence_count = r.occurrence_count + excluded.occurrence_count,
      first_seen_at = least(r.first_seen_at, excluded.first_seen_at),
      last_seen_at = greatest(r.last_seen_at, excluded.last_seen_at)`.execute(tx);
}

/** Ignores hosts that were not seen within the retention window, even if their rows have not been deleted yet. */
async function addHosts(tx: Tx, { targetId, sourceIds }: Merge, retentionDays: number): Promise<void> {
  const cutoff = sql`now() - make_interval(days => ${retentionDays}::int)`;
  await sql`
    insert into error_group_hosts as h (group_id, name, count, last_seen_at)
    select ${targetId}, name, sum(count), max(last_seen_at)
    from error_group_hosts where group_id = any(${sourceIds}::bigint[]) and last_seen_at > ${cutoff}
    group by name
    on conflict (group_id, name) do update set
      count = excluded.count + case when h.last_seen_at > ${cutoff} then h.count else 0 end,
      last_seen_at = greatest(h.last_seen_at, excluded.last_seen_at)`.execute(tx);
}

async function addUsers(tx: Tx, { targetId, sourceIds }: Merge): Promise<void> {
  await sql`
    insert into error_group_users as u (group_id, user_hash, last_seen_at)
    select ${targetId}, user_hash, max(last_seen_at)
    from error_group_users where group_id = any(${sourceIds}::bigint[]) group by user_hash
    on conflict (group_id, user_hash) do update set
      last_seen_at = greatest(u.last_seen_at, excluded.last_seen_at)`.execute(tx);
}

async function countRows(tx: Tx, { targetId, sourceIds }: Merge): Promise<void> {
  await sql`
    insert into error_group_counts as c (group_id, project_id, users, users_seen_since, releases, hosts)
    select ${targetId}, min(project_id), (select count(*) from error_group_users where group_id = ${targetId}),
      coalesce(min(users_seen_since), 'infinity'),
      (select count(*) from error_group_releases where group_id = ${targetId}),
      (select count(*) from error_group_hosts where group_id = ${targetId})
    from error_group_counts where group_id = any(${[targetId, ...sourceIds]}::bigint[])
    on conflict (group_id) do update set users = excluded.users, users_seen_since = excluded.users_seen_since,
      releases = excluded.releases, hosts = excluded.hosts`.execute(tx);
}
