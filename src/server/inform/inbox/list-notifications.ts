import { sql, type RawBuilder } from "kysely";
import type { Notification, NotificationListQuery } from "../../../shared/notifications.ts";
import { accessibleProjects } from "../../access/access-queries.ts";
import { projectsReadable } from "../../access/readable-kinds.ts";
import type { Caller } from "../../access/caller.ts";
import type { Db } from "../../db/connect.ts";
import type { Page } from "../../../shared/answers.ts";
import { afterId, idCursor, pageOf, type PageQuery } from "../../answers/page.ts";

const DEFAULT_LIMIT = 100;

/** The caller's notifications, newest first. */
export async function listNotifications(
  db: Db,
  caller: Caller,
  query: NotificationListQuery,
): Promise<Page<Notification>> {
  const pageQuery: PageQuery = { limit: query.limit ?? DEFAULT_LIMIT, cursor: query.cursor };
  const { rows } = await sql<Notification>`
    select n.id, n.type, n.message, n.read_at, n.created_at, ${actor} as actor, ${notifiable} as notifiable
    from (
      select * from notifications n where ${sql.join([readableBy(caller), ...filters(query, pageQuery)], sql` and `)}
      order by id desc limit ${pageQuery.limit + 1}
    ) n
    left join users a on a.id = n.actor_id
    left join projects p on p.id = n.project_id
    left join issues i on i.id = n.issue_id and i.project_id = n.project_id
    order by n.id desc`.execute(db);
  return pageOf(rows, pageQuery, (last) => idCursor(last.id));
}

export async function countUnread(db: Db, caller: Caller): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from notifications n where read_at is null and ${readableBy(caller)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Entries about a project are hidden while the caller cannot access it, because their texts contain its content. They
 * reappear when the caller regains access.
 */
function readableBy(caller: Caller): RawBuilder<unknown> {
  return sql`n.user_id = ${caller.user_id} and case
    when n.issue_id is not null then n.project_id in (${projectsReadable(caller, "issue")})
    when n.project_id is not null then n.project_id in (${accessibleProjects(caller.user_id)})
    else n.workspace_id in (
      select workspace_id from workspace_members where user_id = ${caller.user_id} and deactivated_at is null)
    end`;
}

function filters(query: NotificationListQuery, pageQuery: PageQuery): RawBuilder<unknown>[] {
  const { unread, type, project_id } = query;
  return [
    ...(pageQuery.cursor === undefined ? [] : [sql`n.id < ${afterId(pageQuery)}`]),
    ...(unread === undefined ? [] : [unread ? sql`n.read_at is null` : sql`n.read_at is not null`]),
    ...(type === undefined ? [] : [sql`n.type = ${type}`]),
    ...(project_id === undefined ? [] : [sql`n.project_id = ${project_id}`]),
  ];
}

const actor = sql`case when a.id is not null then json_build_object('id', a.id, 'first_name', a.first_name,
  'last_name', a.last_name, 'profile_picture', a.profile_picture) end`;

/** An issue's current title, or the recorded one after the issue was deleted. */
const notifiable = sql`case
  when n.issue_id is not null then json_build_object('type', 'issue', 'id', n.issue_id, 'key', n.issue_key,
    'title', coalesce(i.title, n.issue_title), 'project_id', n.project_id)
  when n.project_id is not null then json_build_object('type', 'project', 'id', p.id, 'name', p.name)
  else json_build_object('type', 'team', 'id', n.team_id, 'name', n.team_name) end`;
