import { sql, type RawBuilder } from "kysely";
import type { Notification, NotificationListQuery } from "../../../shared/notifications.ts";
import { accessibleProjects } from "../../access/access-queries.ts";
import { projectsReadable } from "../../access/readable-kinds.ts";
import type { Caller } from "../../access/caller.ts";
import type { Db } from "../../db/connect.ts";
import { afterId, idCursor, pageOf, type Page, type PageQuery } from "../../answers/page.ts";

const USUAL = 100;

/** The caller's own inbox, newest first (service.md 4.3, decisions.md 1). */
export async function listNotifications(
  db: Db,
  caller: Caller,
  query: NotificationListQuery,
): Promise<Page<Notification>> {
  const place: PageQuery = { limit: query.limit ?? USUAL, cursor: query.cursor };
  const { rows } = await sql<Notification>`
    select n.id, n.type, n.message, n.read_at, n.created_at, ${actor} as actor, ${notifiable} as notifiable
    from (
      select * from notifications n where ${sql.join([readableBy(caller), ...filtered(query, place)], sql` and `)}
      order by id desc limit ${place.limit + 1}
    ) n
    left join users a on a.id = n.actor_id
    left join projects p on p.id = n.project_id
    left join issues i on i.id = n.issue_id and i.project_id = n.project_id
    order by n.id desc`.execute(db);
  return pageOf(rows, place, (last) => idCursor(last.id));
}

/** How many of them are unread. */
export async function countUnread(db: Db, caller: Caller): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from notifications n where read_at is null and ${readableBy(caller)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Entries tell of projects: what the caller can no longer access is out of sight, and back with the access
 * (reliability.md P13).
 */
function readableBy(caller: Caller): RawBuilder<unknown> {
  return sql`n.user_id = ${caller.user_id} and case
    when n.issue_id is not null then n.project_id in (${projectsReadable(caller, "issue")})
    when n.project_id is not null then n.project_id in (${accessibleProjects(caller.user_id)})
    else n.workspace_id in (
      select workspace_id from workspace_members where user_id = ${caller.user_id} and deactivated_at is null)
    end`;
}

function filtered(query: NotificationListQuery, place: PageQuery): RawBuilder<unknown>[] {
  const { unread, type, project_id } = query;
  return [
    ...(place.cursor === undefined ? [] : [sql`n.id < ${afterId(place)}`]),
    ...(unread === undefined ? [] : [unread ? sql`n.read_at is null` : sql`n.read_at is not null`]),
    ...(type === undefined ? [] : [sql`n.type = ${type}`]),
    ...(project_id === undefined ? [] : [sql`n.project_id = ${project_id}`]),
  ];
}

const actor = sql`case when a.id is not null then json_build_object('id', a.id, 'first_name', a.first_name,
  'last_name', a.last_name, 'profile_picture', a.profile_picture) end`;

/** By today's name while it exists, by the one it had when it is gone. */
const notifiable = sql`case
  when n.issue_id is not null then json_build_object('type', 'issue', 'id', n.issue_id, 'key', n.issue_key,
    'title', coalesce(i.title, n.issue_title), 'project_id', n.project_id)
  when n.project_id is not null then json_build_object('type', 'project', 'id', p.id, 'name', p.name)
  else json_build_object('type', 'team', 'id', n.team_id, 'name', n.team_name) end`;
