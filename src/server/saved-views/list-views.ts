import { sql, type RawBuilder } from "kysely";
import type { Page } from "../../shared/answers.ts";
import type { SavedView } from "../../shared/saved-views.ts";
import type { Caller } from "../access/caller.ts";
import { notFound } from "../answers/errors.ts";
import type { Db } from "../db/connect.ts";
import { readableProjects } from "../search/readable-projects.ts";

/** Whose list a view belongs to: a person's, or the shared one of a project. */
export type Owner = { user_id: number } | { project_id: number };

/** The condition on `saved_views v`. */
export const isOf = (owner: Owner): RawBuilder<boolean> =>
  "user_id" in owner
    ? sql`v.user_id = ${owner.user_id}`
    : sql`v.user_id is null and v.project_id = ${owner.project_id}`;

/** All views of the owner that show something the caller may read, in their order. The limits make one page enough. */
export async function listViews(db: Db, caller: Caller, owner: Owner): Promise<Page<SavedView>> {
  const { rows } = await sql<SavedView>`
    ${views(owner)} and ${await isReadable(db, caller, owner)} order by v.position, v.id`.execute(db);
  return { data: rows, meta: { next_cursor: null } };
}

/**
 * 404 if the owner has no such view, or if it is the caller's own and they may no longer read what it shows: a favorite
 * has the current title of its issue or epic.
 */
export async function readView(db: Db, caller: Caller, owner: Owner, viewId: number): Promise<SavedView> {
  const readable = "user_id" in owner ? await isReadable(db, caller, owner) : sql`true`;
  const { rows } = await sql<SavedView>`${views(owner)} and v.id = ${viewId} and ${readable}`.execute(db);
  const [row] = rows;
  if (!row) throw noSuchView();
  return row;
}

export const noSuchView = () => notFound("There is no such view.");

const views = (owner: Owner) => sql`
  select v.id, v.page, v.project_id, coalesce(v.name, i.title, e.title) as name, v.search, v.issue_id,
    p.key || '-' || i.number as issue_key, v.epic_id, v.created_at
  from saved_views v left join projects p on p.id = v.project_id
  left join issues i on i.id = v.issue_id left join epics e on e.id = v.epic_id
  where ${isOf(owner)}`;

async function isReadable(db: Db, caller: Caller, owner: Owner): Promise<RawBuilder<boolean>> {
  const projectId = "project_id" in owner ? owner.project_id : undefined;
  const { project, issue, epic, report, error_group } = await readableProjects(db, caller, projectId);
  return sql`case
    when v.page in ('issues', 'board', 'issue') then v.project_id = any(${issue}::bigint[])
    when v.page in ('epics', 'epic') then v.project_id = any(${epic}::bigint[])
    when v.page = 'triage' then v.project_id = any(${report}::bigint[])
    when v.page = 'errors' then v.project_id = any(${error_group}::bigint[])
    when v.page = 'search' then v.project_id is null or v.project_id = any(${project}::bigint[])
    else true end`;
}
