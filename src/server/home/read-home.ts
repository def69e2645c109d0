import { sql } from "kysely";
import { MAX_LISTED_MESSAGE_LENGTH } from "../../shared/error-groups.ts";
import type { Home } from "../../shared/home.ts";
import type { Caller } from "../access/caller.ts";
import type { Db } from "../db/connect.ts";
import { isIn, readableProjects } from "../search/readable-projects.ts";
import { firstItems } from "./first-items.ts";
import { readFirstSteps } from "./first-steps.ts";
import { readProjectNumbers } from "./project-numbers.ts";
import { readVisit } from "./visits.ts";
import type { ErrorDb } from "../errors/groups/error-db.ts";

const MAX_ISSUES = 20;
/** Changes are searched for in this many of the newest issues that the caller watches, and of those assigned to them. */
const MAX_FOLLOWED = 1_000;

/** Everything on the home page. Each part contains only what the caller may read. */
export async function readHome(errorDb: ErrorDb, caller: Caller): Promise<Home> {
  const { db } = errorDb;
  // Read the visit first, so that changes during the following queries are listed at the next visit.
  const visit = await readVisit(db, caller.user_id);
  const readable = await readableProjects(db, caller, undefined);
  const [changes, work, regressions, waiting, projects, first_steps] = await Promise.all([
    readChanges(db, caller.user_id, readable.issue, visit.since),
    readWork(db, caller.user_id, readable.issue),
    readRegressions(db, readable.error_group),
    readWaiting(db, readable.report),
    readProjectNumbers(errorDb, caller.user_id, readable, visit.since),
    readFirstSteps(db, caller.user_id, readable),
  ]);
  return { ...visit, changes, work, regressions, waiting, projects, first_steps };
}

const listedIssue = sql`
  i.id, i.project_id, p.key || '-' || i.number as key, i.title, i.type, l.name as lane_name, l.kind as lane_kind`;

async function readChanges(
  db: Db,
  userId: number,
  projectIds: number[],
  since: string,
): Promise<Home["changes"]> {
  if (projectIds.length === 0) return [];
  const { rows } = await sql<Home["changes"][number]>`
    with followed as materialized (
      (select issue_id as id from issue_watchers where user_id = ${userId} order by issue_id desc limit ${MAX_FOLLOWED})
      union
      (select id from issues where assignee_id = ${userId} order by id desc limit ${MAX_FOLLOWED})
    ), changed as materialized (
      select f.id, max(e.at) as at, count(*) filter (where e.kind = 'comment') as new_comments,
        array_remove(array_agg(distinct e.kind), 'comment') as changed,
        (array_agg(e.actor_id order by e.at desc))[1] as actor_id
      from followed f join issues i on i.id = f.id and ${isIn(sql`i.project_id`, projectIds)}
      cross join lateral (
        select a.kind, a.actor_id, a.created_at as at from issue_activity a
        where a.issue_id = f.id and a.created_at > ${since} and a.actor_id is distinct from ${userId}
        union all
        select 'comment', c.user_id, c.created_at from comments c
        where c.issue_id = f.id and c.created_at > ${since} and c.user_id <> ${userId}
      ) e
      group by f.id order by at desc, f.id desc limit ${MAX_ISSUES}
    )
    select ${listedIssue}, c.at, c.changed, c.new_comments,
      case when u.id is not null then json_build_object('id', u.id, 'first_name', u.first_name,
        'last_name', u.last_name, 'profile_picture', u.profile_picture) end as actor
    from changed c join issues i on i.id = c.id join projects p on p.id = i.project_id
    join lanes l on l.id = i.lane_id left join users u on u.id = c.actor_id
    order by c.at desc, c.id desc`.execute(db);
  return rows;
}

async function readWork(db: Db, userId: number, projectIds: number[]): Promise<Home["work"]> {
  if (projectIds.length === 0) return [];
  const { rows } = await sql<Home["work"][number]>`
    select ${listedIssue}, i.priority, i.updated_at
    from issues i join lanes l on l.id = i.lane_id and l.kind = 'doing' join projects p on p.id = i.project_id
    where i.assignee_id = ${userId} and ${isIn(sql`i.project_id`, projectIds)}
    order by i.updated_at desc, i.id desc limit ${MAX_ISSUES}`.execute(db);
  return rows;
}

async function readRegressions(db: Db, projectIds: number[]): Promise<Home["regressions"]> {
  if (projectIds.length === 0) return [];
  const { rows } = await sql<Home["regressions"][number]>`
    select g.id, g.project_id, g.exception_class, left(g.latest_message, ${sql.lit(MAX_LISTED_MESSAGE_LENGTH)}) as latest_message,
      g.last_release, g.reopen_count, g.regressed_at
    from (${firstItems({
      projectIds,
      table: sql`error_groups`,
      isPending: sql`status = 0`,
      time: sql`regressed_at`,
      direction: "desc",
    })}) g order by g.regressed_at desc, g.id desc`.execute(db);
  // In the API, times of error groups end in +00:00, whereas all other times end in Z.
  return rows.map((row) => ({ ...row, regressed_at: `${row.regressed_at.slice(0, -1)}+00:00` }));
}

async function readWaiting(db: Db, projectIds: number[]): Promise<Home["waiting"]> {
  if (projectIds.length === 0) return [];
  const { rows } = await sql<Home["waiting"][number]>`
    select r.id, r.project_id, r.title, r.created_at
    from (${firstItems({
      projectIds,
      table: sql`reports`,
      isPending: sql`promoted_at is null and dismissed_at is null`,
      time: sql`created_at`,
      direction: "asc",
    })}) r order by r.created_at, r.id`.execute(db);
  return rows;
}
