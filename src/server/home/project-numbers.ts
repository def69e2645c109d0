import { sql } from "kysely";
import { LISTED_DAYS } from "../../shared/error-groups.ts";
import { NUMBERED_PROJECTS, type Counts, type Home } from "../../shared/home.ts";
import type { Caller } from "../access/caller.ts";
import type { Db } from "../db/connect.ts";
import { type ReadableProjects, readableProjects } from "../search/readable-projects.ts";

/** The day strip adds up this many groups of a project: those that almost all recent events belong to. */
const SUMMED_GROUPS = 200;

/** What waits in one project. */
export async function readCounts(db: Db, caller: Caller, projectId: number): Promise<Counts> {
  const { report, error_group } = await readableProjects(db, caller, projectId);
  const { rows } = await sql<Counts>`
    select ${counts(report, error_group)} from (select ${projectId}::bigint as id) p`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("a query without a condition returned no row");
  return row;
}

/** The numbers of the projects that the caller can access, sorted by id: of the first ones, if there are very many. */
export async function readProjectNumbers(
  db: Db,
  userId: number,
  readable: ReadableProjects,
  since: string,
  retentionDays: number,
): Promise<Home["projects"]> {
  const { project, report, error_group, issue } = readable;
  const { rows } = await sql<Home["projects"][number]>`
    select p.id as project_id, ${counts(report, error_group)},
      case when p.id = any(${report}::bigint[]) then (
        select count(*) from reports r
        where r.project_id = p.id and r.promoted_at is null and r.dismissed_at is null and r.created_at > ${since}
      ) end as new_reports,
      case when p.id = any(${issue}::bigint[]) then (
        select count(*) from issues i where i.project_id = p.id and i.closed_at is null
      ) end as open_issues,
      case when p.id = any(${issue}::bigint[]) then (
        select count(*) from issues i where i.project_id = p.id and i.created_at > ${since}
      ) end as new_issues,
      case when p.id = any(${error_group}::bigint[]) then (${dailySums(retentionDays)}) end as daily_counts
    from (
      select first.id from projects first where first.id = any(${project}::bigint[])
      order by exists (
        select from project_members m where m.project_id = first.id and m.user_id = ${userId}
      ) desc, lower(first.name), first.id limit ${NUMBERED_PROJECTS}
    ) p order by p.id`.execute(db);
  return rows;
}

/** The columns of `Counts` for the project `p`. */
function counts(reportIds: number[], groupIds: number[]) {
  return sql`
    case when p.id = any(${reportIds}::bigint[]) then (
      select count(*) from reports r
      where r.project_id = p.id and r.promoted_at is null and r.dismissed_at is null
    ) end as waiting_reports,
    case when p.id = any(${groupIds}::bigint[]) then (
      select count(*) from error_groups g where g.project_id = p.id and g.status = 0
    ) end as open_errors,
    case when p.id = any(${groupIds}::bigint[]) then (
      select count(*) from error_groups g
      where g.project_id = p.id and g.status = 0 and g.regressed_at is not null
    ) end as regressed_errors`;
}

/** Adds up the counts by day, oldest first. Days before the retention window count as 0. */
function dailySums(retentionDays: number) {
  // After the clock was set back, a group's last day can be in the future. It is counted as today.
  const ago = sql`greatest(0, (now() at time zone 'UTC')::date - (e.last_seen_at at time zone 'UTC')::date)`;
  const sums = Array.from({ length: LISTED_DAYS }, (_, index) => {
    const day = LISTED_DAYS - 1 - index;
    if (day >= retentionDays) return sql`0`;
    return sql`coalesce(sum(g.daily_counts[${sql.lit(day + 1)} - g.ago]), 0)`;
  });
  return sql`
    select json_build_array(${sql.join(sums)}) from (
      select e.daily_counts, ${ago} as ago from error_groups e
      where e.project_id = p.id and e.last_seen_span > now() - make_interval(days => ${sql.lit(LISTED_DAYS + 1)})
      order by e.last_seen_span desc limit ${sql.lit(SUMMED_GROUPS)}
    ) g`;
}
