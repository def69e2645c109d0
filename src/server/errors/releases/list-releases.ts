import { sql, type RawBuilder } from "kysely";
import type { Page } from "../../../shared/answers.ts";
import { MAX_DEPLOYS, type Release } from "../../../shared/releases.ts";
import type { PageQuery } from "../../answers/page.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { isFixedIn } from "./fixed-groups.ts";
import { healthEnvironmentsOf, healthOf, recentSessions } from "./health/health-columns.ts";
import { placesAfter } from "./release-places.ts";

/** The project's releases, newest first. */
export async function listReleases(
  db: Db,
  projectId: number,
  { environment, ...query }: PageQuery & Filter,
): Promise<Page<Release>> {
  const { ids, next_cursor } = await placesAfter(db, projectId, query);
  const page = sql`select id, place from unnest(${ids}::bigint[]) with ordinality as one (id, place)`;
  const { rows } = await selectReleases(page, projectId, { environment }).execute(db);
  return { data: rows, meta: { next_cursor } };
}

/** Health is that of one environment, or of all. */
type Filter = { environment?: string | undefined };

/** The releases of the project whose `id` and `place` the query `page` selects, ordered by `place`. */
function selectReleases(page: RawBuilder<unknown>, projectId: number, { environment }: Filter = {}) {
  return sql<Release>`
    select r.id, r.project_id, r.version, r.first_seen_at, ${deploys} as deploys, counted.*, fixed.resolved_groups,
      ${healthOf(sql`r.id`, environment)} as health, ${healthEnvironmentsOf(sql`r.id`)} as environments, r.created_at
    from (${page}) page
    join releases r on r.id = page.id
    cross join ${recentSessions(projectId, environment)} recent
    cross join lateral (
      select coalesce(sum(c.events), 0)::bigint as events, coalesce(sum(c.new_groups), 0)::int as new_groups,
        coalesce(sum(c.regressed_groups), 0)::int as regressed_groups
      from release_counts c where c.release_id = r.id
    ) counted
    cross join lateral (
      select count(*)::int as resolved_groups from error_groups g where ${isFixedIn(sql`r.project_id`, sql`r.version`)}
    ) fixed
    order by page.place`;
}

const deploys = sql`(
  select coalesce(json_agg(json_build_object('environment', d.environment, 'deployed_at',
      to_char(d.deployed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), 'commit', d.commit, 'url', d.url)
    order by d.deployed_at desc, d.id desc), '[]')
  from (
    select * from release_deploys where release_id = r.id
    order by deployed_at desc, id desc limit ${sql.lit(MAX_DEPLOYS)}
  ) d)`;

/** The project's releases with these ids. Unknown ids are left out. */
export async function readReleases(db: Db | Tx, projectId: number, ids: number[]): Promise<Release[]> {
  const some = sql`
    select id, id as place from releases
    where project_id = ${projectId} and id = any(${ids}::bigint[])`;
  const { rows } = await selectReleases(some, projectId).execute(db);
  return rows;
}

/** The release with this version; undefined if the project has none. */
export async function findRelease(
  db: Db | Tx,
  projectId: number,
  version: string,
  filter: Filter = {},
): Promise<Release | undefined> {
  const named = sql`
    select id, 1 as place from releases
    where project_id = ${projectId} and version_hash = sha256(convert_to(${version}, 'UTF8'))`;
  const { rows } = await selectReleases(named, projectId, filter).execute(db);
  return rows[0];
}
