import { sql, type RawBuilder } from "kysely";

/** From this number on, projects usually contain most of the installation's rows, and other query plans are faster. */
export const MANY_PROJECTS = 100;

type First = {
  projectIds: number[];
  /** Selects `id`, `project_id` and `sort_value` of the rows that match the condition, in the list's order, without a limit. */
  rowsWhere: (condition: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** The project id column in `rowsWhere`. */
  project: RawBuilder<unknown>;
  /**
   * The condition for the rows up to this value and id, or all rows if they are null; may include further rows with the same
   * value. Undefined if no index provides the order of a project's rows.
   */
  notAfter: ((value: RawBuilder<unknown>, id: RawBuilder<unknown>) => RawBuilder<unknown>) | undefined;
  direction: RawBuilder<unknown>;
  limit: number;
};

/**
 * Selects the first rows of all projects together. Reading a page of each project would be correct, but with a thousand
 * projects it would read a thousand times too many rows. So it first reads an equal share of the page from each project, and
 * sorts the shares into a preliminary page. Only projects whose whole share is on that page can have more rows on the final
 * page. For these it reads further rows, up to the last row of the preliminary page.
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
