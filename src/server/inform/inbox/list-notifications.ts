import { sql, type RawBuilder } from "kysely";
import { MAX_THUMBNAIL_BYTES } from "../../../shared/attachments.ts";
import { BASIC_TYPES, type Notification, type NotificationListQuery } from "../../../shared/notifications.ts";
import { accessibleProjects } from "../../access/access-queries.ts";
import { projectsReadable } from "../../access/readable-kinds.ts";
import type { Caller } from "../../access/caller.ts";
import type { Db } from "../../db/connect.ts";
import type { Page } from "../../../shared/answers.ts";
import { MAX_THING_TEXT } from "../notify/describe-group.ts";
import { afterId, idCursor, pageOf, type PageQuery } from "../../answers/page.ts";

const DEFAULT_LIMIT = 100;

/** Characters of a comment or report that are read for its excerpt. */
const MAX_EXCERPT_SOURCE = 1_000;

/** The caller's notifications, newest first. */
export async function listNotifications(
  db: Db,
  caller: Caller,
  query: NotificationListQuery,
): Promise<Page<Notification>> {
  const pageQuery: PageQuery = { limit: query.limit ?? DEFAULT_LIMIT, cursor: query.cursor };
  // An array, because with a subquery, PostgreSQL would join all items of these projects before it joins the page.
  const inReadable = (kind: "report" | "epic" | "error_group") =>
    sql`any(array(${projectsReadable(caller, kind)}))`;
  const { rows } = await sql<Notification>`
    select n.id, n.type, n.message, n.read_at, n.created_at, ${actor} as actor, ${notifiable} as notifiable,
      case when n.comment_id is not null then left(c.content, ${MAX_EXCERPT_SOURCE})
        else left(r.description, ${MAX_EXCERPT_SOURCE}) end as excerpt,
      n.comment_id, r.id as report_id, e.id as epic_id,
      case when r.id is not null then (
        select min(f.id) from attachments f where f.project_id = r.project_id and f.report_id = r.id
          and f.comment_id is null and f.mime_type like 'image/%'
          and (f.thumbnail is not null or f.size <= ${MAX_THUMBNAIL_BYTES})
      ) end as thumbnail_id, n.snoozed_until
    from (
      select * from notifications n where ${sql.join([readableBy(caller), ...filters(query, pageQuery)], sql` and `)}
      order by id desc limit ${pageQuery.limit + 1}
    ) n
    left join users a on a.id = n.actor_id
    left join projects p on p.id = n.project_id
    left join issues i on i.id = n.issue_id and i.project_id = n.project_id
    left join reports r on r.id = n.report_id and r.project_id = ${inReadable("report")}
    left join epics e on e.id = n.epic_id and e.project_id = ${inReadable("epic")}
    left join error_groups g on g.id = n.error_group_id and g.project_id = ${inReadable("error_group")}
    left join comments c on c.id = n.comment_id
      and (c.issue_id = i.id or c.epic_id = e.id or c.error_group_id = g.id or c.report_id = r.id)
    order by n.id desc`.execute(db);
  if (rows.some(({ excerpt }) => excerpt !== null)) {
    // Loaded on first use, which shortens the start of the server.
    const { plainExcerpt } = await import("./plain-excerpt.ts");
    for (const row of rows) if (row.excerpt !== null) row.excerpt = plainExcerpt(row.excerpt);
  }
  return pageOf(rows, pageQuery, (last) => idCursor(last.id));
}

/**
 * Entries about a project are hidden while the caller cannot access it, because their texts contain its content. They
 * reappear when the caller regains access.
 */
export function readableBy(caller: Caller): RawBuilder<unknown> {
  return sql`n.user_id = ${caller.user_id} and case
    when n.issue_id is not null then n.project_id in (${projectsReadable(caller, "issue")})
    when n.error_group_id is not null or n.error_count is not null
      then n.project_id in (${projectsReadable(caller, "error_group")})
    when n.report_id is not null and n.thing_title is not null
      then n.project_id in (${projectsReadable(caller, "report")})
    when n.project_id is not null then n.project_id in (${accessibleProjects(caller.user_id)})
    else n.workspace_id in (
      select workspace_id from workspace_members where user_id = ${caller.user_id} and deactivated_at is null)
    end`;
}

function filters(query: NotificationListQuery, pageQuery: PageQuery): RawBuilder<unknown>[] {
  const { unread, type, project_id, issue_id, report_id, epic_id, error_group_id, snoozed = false } = query;
  return [
    ofTypes(query.include),
    snoozed ? sql`n.snoozed_until > now()` : NOT_SNOOZED,
    ...(pageQuery.cursor === undefined ? [] : [sql`n.id < ${afterId(pageQuery)}`]),
    ...(unread === undefined ? [] : [unread ? sql`n.read_at is null` : sql`n.read_at is not null`]),
    ...(type === undefined ? [] : [sql`n.type = ${type}`]),
    ...(project_id === undefined ? [] : [sql`n.project_id = ${project_id}`]),
    ...(issue_id === undefined ? [] : [sql`n.issue_id = ${issue_id}`]),
    ...(report_id === undefined ? [] : [sql`n.report_id = ${report_id}`]),
    ...(epic_id === undefined ? [] : [sql`n.epic_id = ${epic_id}`]),
    ...(error_group_id === undefined ? [] : [sql`n.error_group_id = ${error_group_id}`]),
  ];
}

/** Clients get only the basic types unless they ask for all. */
export const ofTypes = (include: "all" | undefined) =>
  include === "all" ? sql`true` : sql`n.type <= ${sql.lit(Math.max(...BASIC_TYPES))}`;

/** A condition rather than a job, so that a snoozed entry returns exactly once and on time. */
export const NOT_SNOOZED = sql`(n.snoozed_until is null or n.snoozed_until <= now())`;

const actor = sql`case when a.id is not null then json_build_object('id', a.id, 'first_name', a.first_name,
  'last_name', a.last_name, 'profile_picture', a.profile_picture) end`;

/** The current title of an issue, error group or report, or the recorded one after it was deleted. */
const notifiable = sql`case
  when n.issue_id is not null then json_build_object('type', 'issue', 'id', n.issue_id, 'key', n.issue_key,
    'title', coalesce(i.title, n.issue_title), 'project_id', n.project_id)
  when n.error_group_id is not null then json_build_object('type', 'error_group', 'id', n.error_group_id,
    'project_id', n.project_id, 'exception_class', coalesce(g.exception_class, n.thing_title),
    'message', coalesce(left(g.latest_message, ${sql.lit(MAX_THING_TEXT)}), n.thing_text))
  when n.report_id is not null and n.thing_title is not null then json_build_object('type', 'report',
    'id', n.report_id, 'project_id', n.project_id, 'title', coalesce(r.title, n.thing_title))
  when n.project_id is not null then json_build_object('type', 'project', 'id', p.id, 'name', p.name)
  else json_build_object('type', 'team', 'id', n.team_id, 'name', n.team_name) end`;
