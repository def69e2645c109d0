import { sql, type RawBuilder } from "kysely";

/** This many projects are likely to contain most of the installation. */
export const MANY_PROJECTS = 100;

type First = {
  projectIds: number[];
  /**
   * Selects the rows with the condition in the list's order, with `id`, `project_id` and `sort_value`, without a limit.
   */
  rowsWhere: (condition: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** The column of `rowsWhere` with the project's id. */
  project: RawBuilder<unknown>;
  /**
   * The condition for the rows up to the one with this value and id, or some more with the same value, or up to the end if they are null.
   * Undefined if no index provides the order of a project's rows.
   */
  notAfter: ((value: RawBuilder<unknown>, id: RawBuilder<unknown>) => RawBuilder<unknown>) | undefined;
  direction: RawBuilder<unknown>;
  limit: number;
};

/**
 * Selects the first rows of all projects together. Reading a page of each project would be correct, but for a thousand
 * projects it reads a thousand times too many rows. So each project contributes an equal share of the page first, and these
 * shares make up a preliminary page. Only projects whose whole share is on it can have further rows on the final page; these
 * are read up to the last row of the preliminary one.
 */
export function firstOfProjects(list: First): RawBuilder<unknown> {
  const { projectIds, rowsWhere, project, notAfter, direction, limit } = list;
  const [only, second] = projectIds;
  if (only !== undefined && second === undefined)
    return sql`${rowsWhere(sql`${project} = ${only}`)} limit ${limit}`;
  if (!notAfter) return sql`${rowsWhere(sql`${project} = any(${projectIds}::bigint[])`)} limit ${limit}`;
  const share = Math.ceil(limit / Math.max(1, projectIds.length));
  const ofProject = sql`${project} = wanted.id`;
  const last = (column: RawBuilder<unknown>) => sql`(
    select ${column} from of_shares order by sort_value ${direction}, id ${direction} offset ${limit - 1} limit 1)`;
  return sql`
    with share as materialized (
      select rows.* from unnest(${projectIds}::bigint[]) wanted (id)
      cross join lateral (${rowsWhere(ofProject)} limit ${share}) rows
    ),
    of_shares as materialized (
      select id, project_id, sort_value from share order by sort_value ${direction}, id ${direction} limit ${limit}
    )
    select * from share
    union all
    select rows.* from (select project_id from of_shares group by 1 having count(*) = ${share}) wanted (id)
    cross join lateral (${rowsWhere(sql`${ofProject} and ${notAfter(last(sql`sort_value`), last(sql`id`))}`)} offset ${share} limit ${limit}) rows
    order by sort_value ${direction}, id ${direction} limit ${limit}`;
}
