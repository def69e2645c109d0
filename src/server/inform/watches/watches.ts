import { sql } from "kysely";
import type { Preference } from "../../../shared/people.ts";
import type { Permission } from "../../../shared/permissions.ts";
import type { ProjectRef } from "../../access/access-queries.ts";
import { READING, usersReading } from "../../access/readable-kinds.ts";
import type { Tx } from "../../db/connect.ts";

export type AutoWatch = Extract<Preference, `auto_watch_${string}`>;

/** Makes the user watch the issue if their preference says so and they may read the project's issues. */
export async function autoWatch(
  tx: Tx,
  project: ProjectRef,
  { issueId, userId, occasion }: { issueId: number; userId: number; occasion: AutoWatch },
): Promise<void> {
  await lockMembership(tx, project, userId);
  await sql`
    insert into issue_watchers (issue_id, user_id)
    select ${issueId}, id from users
    where id = ${userId} and ${sql.ref(occasion)} and id in (${usersReading(project, "issue")})
    on conflict do nothing`.execute(tx);
}

/** Makes the owners of a new project watch its reports. */
export async function watchReportsAsOwners(tx: Tx, projectId: number): Promise<void> {
  await sql`
    insert into report_watchers (project_id, workspace_id, user_id)
    select project_id, workspace_id, user_id from project_members
    where project_id = ${projectId} and is_owner
    on conflict do nothing`.execute(tx);
}

/**
 * Locks the rows that give the user access until the transaction ends. If access is removed while a watch is added,
 * either `endLostWatches` sees the new watch, or the watch is not added.
 */
export async function lockMembership(tx: Tx, project: ProjectRef, userId: number): Promise<void> {
  await sql`select from workspace_members
    where workspace_id = ${project.workspace_id} and user_id = ${userId} for share`.execute(tx);
  await sql`select from project_members m join roles r on r.id = m.role_id
    where m.project_id = ${project.id} and m.user_id = ${userId} for share`.execute(tx);
  await sql`select from project_teams t
    join team_members m on m.team_id = t.team_id and m.user_id = ${userId}
    join roles r on r.id = t.role_id
    where t.project_id = ${project.id} order by t.team_id for share`.execute(tx);
}

/**
 * Ends the watches of these users in the workspace's projects where they may no longer read what they watch. Call it in
 * the transaction that removed access, while holding the workspace's lock: if two transactions each remove one of a
 * user's two ways to access a project, the second must see the first one's change.
 */
export async function endLostWatches(tx: Tx, workspaceId: number, userIds: number[]): Promise<void> {
  if (userIds.length === 0) return;
  const users = sql`${userIds}::bigint[]`;
  const readers = (permission: Permission) => sql`
    select project_id, user_id from project_grants
    where user_id = any(${users}) and (is_all or ${permission} = any(permissions))`;
  await sql`
    delete from report_watchers w where w.user_id = any(${users}) and w.workspace_id = ${workspaceId}
      and (w.project_id, w.user_id) not in (${readers(READING.report.needs)})`.execute(tx);
  await sql`
    delete from issue_watchers w using issues i, projects p
    where w.user_id = any(${users}) and i.id = w.issue_id
      and p.id = i.project_id and p.workspace_id = ${workspaceId}
      and (i.project_id, w.user_id) not in (${readers(READING.issue.needs)})`.execute(tx);
  await sql`
    delete from error_group_watchers w using error_groups g, projects p
    where w.user_id = any(${users}) and g.id = w.group_id
      and p.id = g.project_id and p.workspace_id = ${workspaceId}
      and (g.project_id, w.user_id) not in (${readers(READING.error_group.needs)})`.execute(tx);
}
