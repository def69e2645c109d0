import { sql, type RawBuilder } from "kysely";
import { MANY_PROJECTS } from "../../access/first-of-projects.ts";
import type { Db } from "../../db/connect.ts";
import { type CandidateGroups, HAS_IMPACT } from "./impact.ts";
import { seenAfter } from "./groups-to-index.ts";

/** Up to this number of groups, reading only them is faster than reading all groups of the last 24 hours. */
const MAX_READ_GROUPS = 3_000;

/** The maximum delays between the time of an event, or of a merge, and its commit. */
const COMMIT = sql`interval '1 minute'`;
const MERGE = sql`interval '2 minutes'`;

/**
 * The groups of the stored rankings, and those that may have gained impact since. Undefined if they are too many, or if there
 * is no ranking.
 */
export async function rankedGroups(db: Db, projectIds: number[]): Promise<CandidateGroups | undefined> {
  const ids = sql`${projectIds}::bigint[]`;
  if (projectIds.length >= MANY_PROJECTS) {
    const ranked = await groupsToCompare(db, {
      projects: sql`projects p left join workspace_error_group_rankings r on r.workspace_id = p.workspace_id where p.id = any(${ids})`,
      groups: sql`select unnest(group_ids) as id from workspace_error_group_rankings
        where workspace_id in (select workspace_id from projects where id = any(${ids}))`,
      isUsable: sql`select bool_and(ranked_at is not null) from ranked`,
    });
    if (ranked) return ranked;
  }
  return groupsToCompare(db, {
    projects: sql`unnest(${ids}) p (id) left join error_group_rankings r on r.project_id = p.id`,
    groups: sql`select unnest(group_ids) as id from error_group_rankings where project_id = any(${ids})`,
    isUsable: sql`select bool_or(ranked_at is not null) from ranked`,
  });
}

type Rankings = {
  /** Joins the projects `p` with their rankings `r`. */
  projects: RawBuilder<unknown>;
  /** Selects the ids of the ranked groups. */
  groups: RawBuilder<unknown>;
  isUsable: RawBuilder<unknown>;
};

type Found = { count: number; ids: number[]; ends: { least_impact: number; least_id: number }[] };

/** The ranked groups, those with events or merges since, and all groups of projects without a ranking. */
async function groupsToCompare(
  db: Db,
  { projects, groups, isUsable }: Rankings,
): Promise<CandidateGroups | undefined> {
  const { rows } = await sql<Found>`
    with ranked as materialized (select p.id, r.ranked_at, r.least_impact, r.least_id from ${projects})
    select count(*)::int as count, coalesce(array_agg(distinct id), '{}') as ids,
      (select json_agg(e) from (select distinct least_impact, least_id from ranked where ranked_at is not null) e) as ends
    from (
      select id from (${groups}) stored
      union all
      select found.id from ranked r cross join lateral (
        select g.id from error_groups g
        where g.project_id = r.id ${HAS_IMPACT} and ${seenAfter(sql`coalesce(r.ranked_at - ${COMMIT}, '-infinity')`)}
        union all
        -- Merging adds impact without an event.
        select g.id from error_group_aliases a join error_groups g on g.id = a.group_id
        where g.project_id = r.id and a.merged_at > r.ranked_at - ${MERGE}
      ) found
      limit ${2 * MAX_READ_GROUPS + 1}
    ) found
    where (${isUsable}) having count(*) > 0`.execute(db);
  const [found] = rows;
  // A group can be found twice, so twice as many rows are read. Beyond that limit, groups may be missing.
  if (!found || found.count > 2 * MAX_READ_GROUPS || found.ids.length > MAX_READ_GROUPS) return undefined;
  const { ids, ends } = found;
  return {
    condition: sql`and g.id = any(${ids}::bigint[])`,
    isComplete: ({ sort_value, id }) =>
      ends.every(
        ({ least_impact, least_id }) =>
          sort_value > least_impact || (sort_value === least_impact && id >= least_id),
      ),
  };
}
