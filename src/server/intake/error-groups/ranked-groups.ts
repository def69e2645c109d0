import { sql, type RawBuilder } from "kysely";
import type { Db } from "../../db/connect.ts";
import { type FewGroups, firstByImpact, HAS_IMPACT, IN_A_DAY } from "./impact.ts";
import { seenAfter } from "./groups-to-index.ts";

/** More than a page, so that a list with a filter that few groups fail is quick, too. */
const RANKED = 1_000;

/** Up to this number of groups, reading those is faster than reading all of the day. */
const MOST_READ = 3_000;

/** How much later than its time an event, or a merge, can be committed. */
const COMMIT = sql`interval '1 minute'`;
const MERGE = sql`interval '2 minutes'`;

/** A ranking stays correct, but the more groups were seen since, the more groups a list reads besides it. */
const FEW_SEEN = 200;

/** Impact falls as time passes, so that fewer pages end before the last stored group. */
const LATEST_RANKED = sql`(select now() - interval '30 minutes')`;

/** A project without events since then cannot have gained many groups since the last run. */
const JUST_SEEN = sql`(select now() - interval '20 minutes')`;

/**
 * Stores which groups have the most impact in projects with more groups of the last 24 hours than it stores. Only looks at projects
 * without a ranking that have just had events, and at those whose ranking is old or that had many events since.
 */
export async function rankGroups(db: Db, signal?: AbortSignal): Promise<void> {
  // This does not use `exists`, which PostgreSQL may turn into reading all groups.
  const { rows } = await sql<{ id: number; is_large: boolean }>`
    select p.id, ${atLeast(RANKED + 1, IN_A_DAY)} as is_large
    from projects p left join error_group_rankings r on r.project_id = p.id
    where p.deleted_at is null and case
      when r.ranked_at is null then ${atLeast(1, sql`g.last_seen_span > ${JUST_SEEN}`)}
      else r.ranked_at < ${LATEST_RANKED} or ${atLeast(FEW_SEEN, seenAfter(sql`r.ranked_at`))} end
    order by p.id`.execute(db);
  const small = rows.filter(({ is_large }) => !is_large).map(({ id }) => id);
  await sql`delete from error_group_rankings where project_id = any(${small}::bigint[])`.execute(db);
  for (const { id, is_large } of rows) {
    signal?.throwIfAborted();
    if (is_large) await rankGroupsOf(db, id);
  }
}

/** Whether the project `p` has at least so many groups `g` with the condition. */
const atLeast = (count: number, condition: RawBuilder<unknown>) => sql`(
  select count(*) = ${sql.lit(count)} from (
    select from error_groups g where g.project_id = p.id and ${condition} limit ${sql.lit(count)}) found)`;

async function rankGroupsOf(db: Db, projectId: number): Promise<void> {
  const first = firstByImpact({ where: sql`g.project_id = ${projectId}`, last: undefined, limit: RANKED });
  // `now()` is the time of the snapshot or earlier.
  await sql`
    insert into error_group_rankings (project_id, group_ids, least_impact, least_id, ranked_at)
    select ${projectId}, array_agg(id), (array_agg(sort_value order by sort_value, id))[1],
      (array_agg(id order by sort_value, id))[1], now()
    from (${first}) ranked having count(*) = ${RANKED}
    on conflict (project_id) do update set group_ids = excluded.group_ids, least_impact = excluded.least_impact,
      least_id = excluded.least_id, ranked_at = excluded.ranked_at`.execute(db);
}

/** The groups that a job has ranked first, and those that may have come before these since. Undefined if they are many. */
export async function rankedGroups(db: Db, projects: RawBuilder<unknown>): Promise<FewGroups | undefined> {
  const { rows: ends } = await sql<{ least_impact: number; least_id: number }>`
    select r.least_impact, r.least_id from (${projects}) p join error_group_rankings r on r.project_id = p.id`.execute(
    db,
  );
  if (ends.length === 0) return undefined;
  const ids = await groupsToCompare(db, projects);
  if (!ids) return undefined;
  return {
    condition: sql`and g.id = any(${ids}::bigint[])`,
    isFirst: ({ sort_value, id }) =>
      ends.every(
        ({ least_impact, least_id }) =>
          sort_value > least_impact || (sort_value === least_impact && id >= least_id),
      ),
  };
}

/** The ranked groups and those with events or merges since; all groups of a project without a ranking. Undefined if they are many. */
async function groupsToCompare(db: Db, projects: RawBuilder<unknown>): Promise<number[] | undefined> {
  const ranked = sql`(${projects}) p left join error_group_rankings r on r.project_id = p.id`;
  const { rows } = await sql<{ count: number; ids: number[] }>`
    select count(*)::int as count, coalesce(array_agg(distinct id), '{}') as ids from (
      select found.id from ${ranked} cross join lateral (
        select unnest(r.group_ids) as id
        union all
        select g.id from error_groups g
        where g.project_id = p.id ${HAS_IMPACT} and ${seenAfter(sql`coalesce(r.ranked_at - ${COMMIT}, '-infinity')`)}
        union all
        -- Merging adds impact without an event.
        select g.id from error_group_aliases a join error_groups g on g.id = a.group_id
        where g.project_id = p.id and a.merged_at > r.ranked_at - ${MERGE}
      ) found
      limit ${2 * MOST_READ + 1}
    ) found`.execute(db);
  const { count, ids } = rows[0] ?? { count: 0, ids: [] };
  // Some are found several times. Beyond the limit, others were not found.
  return count > 2 * MOST_READ || ids.length > MOST_READ ? undefined : ids;
}
