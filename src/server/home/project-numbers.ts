import { sql } from "kysely";
import { LISTED_DAYS } from "../../shared/error-groups.ts";
import { MAX_NUMBERED_PROJECTS, type Counts, type Home } from "../../shared/home.ts";
import { MAX_NEW_ERRORS } from "../../shared/new-errors.ts";
import type { Caller } from "../access/caller.ts";
import type { Db } from "../db/connect.ts";
import { type ReadableProjects, readableProjects } from "../search/readable-projects.ts";
import type { ErrorDb } from "../errors/groups/error-db.ts";

/** The pending items of one project, and the number of its monitors. */
export async function readCounts(db: Db, caller: Caller, projectId: number): Promise<Counts> {
  const { report, error_group } = await readableProjects(db, caller, projectId);
  const { rows } = await sql<Counts>`
    select ${counts(report, error_group)},
      case when p.id = any(${error_group}::bigint[]) then (
        select count(*) from monitors m where m.project_id = p.id
      ) end as monitors
    from (select ${projectId}::bigint as id) p ${OPEN}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("a query without a condition returned no row");
  return row;
}

/** The numbers of the projects that the caller can access, sorted by id. Limited to NUMBERED_PROJECTS projects. */
export async function readProjectNumbers(
  { db, retentionDays }: ErrorDb,
  userId: number,
  readable: ReadableProjects,
  since: string,
): Promise<Home["projects"]> {
  const { project, report, error_group, issue } = readable;
  const { rows } = await sql<Home["projects"][number]>`
    select p.id as project_id, ${counts(report, error_group)},
      case when p.id = any(${report}::bigint[]) then (
        select count(*) from reports r
        where r.project_id = p.id and r.promoted_at is null and r.dismissed_at is null and r.created_at > ${since}
      ) end as new_reports,
      case when p.id = any(${issue}::bigint[]) then open.issues end as open_issues,
      case when p.id = any(${issue}::bigint[]) then (
        select count(*) from issues i where i.project_id = p.id and i.created_at > ${since}
      ) end as new_issues,
      case when p.id = any(${error_group}::bigint[]) then (${dailyCounts(retentionDays)}) end as daily_counts
    from (
      select first.id from projects first where first.id = any(${project}::bigint[])
      order by exists (
        select from project_members m where m.project_id = first.id and m.user_id = ${userId}
      ) desc, lower(first.name), first.id limit ${MAX_NUMBERED_PROJECTS}
    ) p ${OPEN} order by p.id`.execute(db);
  return rows;
}

/** The pending items of the project `p`. */
function counts(reportIds: number[], groupIds: number[]) {
  return sql`
    case when p.id = any(${reportIds}::bigint[]) then (
      select count(*) from reports r
      where r.project_id = p.id and r.promoted_at is null and r.dismissed_at is null
    ) end as waiting_reports,
    case when p.id = any(${groupIds}::bigint[]) then open.errors end as open_errors,
    case when p.id = any(${groupIds}::bigint[]) then open.regressed_errors end as regressed_errors,
    case when p.id = any(${groupIds}::bigint[]) then (
      select count(*) from (
        select from error_groups g where g.project_id = p.id and g.first_seen_at >= date_trunc('day', now(), 'UTC')
        limit ${sql.lit(MAX_NEW_ERRORS)}
      ) fresh
    ) end as new_errors`;
}

/** Joins the open items of the project `p`. */
const OPEN = sql`
  cross join lateral (
    select coalesce(sum(open_errors), 0) as errors, coalesce(sum(regressed_errors), 0) as regressed_errors,
      coalesce(sum(open_issues), 0) as issues
    from open_counts where project_id = p.id
  ) open`;

/** The events that the project `p` accepted by day, oldest first. Days before the retention window count as 0. */
function dailyCounts(retentionDays: number) {
  const today = sql`(now() at time zone 'UTC')::date`;
  return sql`
    select array_agg(case when ago < ${retentionDays}::int then coalesce(u.accepted, 0) else 0 end order by ago desc)
    from generate_series(0, ${sql.lit(LISTED_DAYS - 1)}) ago
    left join project_usage u on u.project_id = p.id and u.day = ${today} - ago
      and u.day > ${today} - ${sql.lit(LISTED_DAYS)}`;
}
