import { sql, type RawBuilder } from "kysely";
import { MANY_PROJECTS } from "../../access/first-of-projects.ts";
import type { Db } from "../../db/connect.ts";
import { seenAfter } from "./groups-to-index.ts";
import { firstByImpact, IN_A_DAY } from "./impact.ts";

/** Groups in a ranking: more than a page, so that lists whose filters match most groups are fast, too. */
const MAX_RANKED = 1_000;

/** A ranking stays correct, but a list also reads all groups seen since it was stored. So it is replaced above this number. */
const FEW_SEEN = 200;

/** Higher for a workspace, because more groups are seen in it, and its lists read even more without a ranking. */
const FEW_SEEN_IN_WORKSPACE = 1_000;

/** The maximum age of a ranking. Impact decreases with time, so fewer and fewer pages end above the last ranked group. */
const LATEST_RANKED = sql`(select now() - interval '30 minutes')`;

/** A project without events since then cannot have gained many groups since the previous run. */
const JUST_SEEN = sql`(select now() - interval '20 minutes')`;

/**
 * Stores the groups with the most impact of each project, and of each workspace with many projects, if more groups than a
 * ranking contains were seen in the last 24 hours.
 */
export async function rankGroups(db: Db, signal?: AbortSignal): Promise<void> {
  await rankProjects(db, signal);
  await rankWorkspaces(db, signal);
}

/** Considers projects without a ranking if they have just had events, and projects whose ranking is outdated. */
async function rankProjects(db: Db, signal: AbortSignal | undefined): Promise<void> {
  const groups = sql`error_groups g where g.project_id = p.id and`;
  // This does not use `exists`, which PostgreSQL may turn into reading all groups.
  const { rows } = await sql<{ id: number; is_large: boolean }>`
    select p.id, ${atLeast(MAX_RANKED + 1, sql`${groups} ${IN_A_DAY}`)} as is_large
    from projects p left join error_group_rankings r on r.project_id = p.id
    where p.deleted_at is null and case
      when r.ranked_at is null then ${atLeast(1, sql`${groups} g.last_seen_span > ${JUST_SEEN}`)}
      else r.ranked_at < ${LATEST_RANKED} or ${atLeast(FEW_SEEN, sql`${groups} ${seenAfter(sql`r.ranked_at`)}`)} end
    order by p.id`.execute(db);
  const small = rows.filter(({ is_large }) => !is_large).map(({ id }) => id);
  await sql`delete from error_group_rankings where project_id = any(${small}::bigint[])`.execute(db);
  for (const { id, is_large } of rows) {
    signal?.throwIfAborted();
    if (is_large) await storeRanking(db, PROJECTS, id, sql`g.project_id = ${id}`);
  }
}

/** Only lists across many projects use these rankings. */
async function rankWorkspaces(db: Db, signal: AbortSignal | undefined): Promise<void> {
  const groups = (where: RawBuilder<unknown>) => sql`
    unnest(p.ids) project (id) cross join lateral (select from error_groups g where g.project_id = project.id and ${where}) g`;
  const { rows } = await sql<{ id: number; project_ids: number[]; is_large: boolean }>`
    select w.id, p.ids as project_ids, ${atLeast(MAX_RANKED + 1, groups(IN_A_DAY))} as is_large
    from workspaces w cross join lateral (
      select array_agg(id) as ids from projects where workspace_id = w.id and deleted_at is null
    ) p left join workspace_error_group_rankings r on r.workspace_id = w.id
    where w.deleted_at is null and cardinality(p.ids) >= ${MANY_PROJECTS} and (
      coalesce(r.ranked_at < ${LATEST_RANKED}, true)
      or ${atLeast(FEW_SEEN_IN_WORKSPACE, groups(seenAfter(sql`r.ranked_at`)))})
    order by w.id`.execute(db);
  const small = rows.filter(({ is_large }) => !is_large).map(({ id }) => id);
  await sql`delete from workspace_error_group_rankings where workspace_id = any(${small}::bigint[])`.execute(
    db,
  );
  for (const { id, project_ids, is_large } of rows) {
    signal?.throwIfAborted();
    if (is_large) await storeRanking(db, WORKSPACES, id, sql`g.project_id = any(${project_ids}::bigint[])`);
  }
}

/** Whether there are at least `count` rows. */
const atLeast = (count: number, from: RawBuilder<unknown>) => sql`(
  select count(*) = ${sql.lit(count)} from (select from ${from} limit ${sql.lit(count)}) found)`;

type Rankings = { table: RawBuilder<unknown>; key: RawBuilder<unknown> };

const PROJECTS: Rankings = { table: sql`error_group_rankings`, key: sql`project_id` };
const WORKSPACES: Rankings = { table: sql`workspace_error_group_rankings`, key: sql`workspace_id` };

async function storeRanking(db: Db, { table, key }: Rankings, id: number, where: RawBuilder<unknown>) {
  const first = firstByImpact({ where, last: undefined, limit: MAX_RANKED });
  // `now()` is the time of the snapshot or earlier.
  await sql`
    insert into ${table} (${key}, group_ids, least_impact, least_id, ranked_at)
    select ${id}, array_agg(id), (array_agg(sort_value order by sort_value, id))[1],
      (array_agg(id order by sort_value, id))[1], now()
    from (${first}) ranked having count(*) = ${MAX_RANKED}
    on conflict (${key}) do update set group_ids = excluded.group_ids, least_impact = excluded.least_impact,
      least_id = excluded.least_id, ranked_at = excluded.ranked_at`.execute(db);
}
