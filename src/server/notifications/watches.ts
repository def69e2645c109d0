import { sql } from "kysely";
import type { Preference } from "../../shared/people.ts";
import { accessibleProjects, usersWhere } from "../auth/access.ts";
import type { Tx } from "../db/connect.ts";

type ProjectRef = { id: number; workspace_id: number };

type AutoWatch = Extract<Preference, `auto_watch_${string}`>;

/**
 * Attaches somebody to an issue's watchers, if they want that on such an occasion (service.md 6, rule 2) and may read
 * the project's issues.
 */
export async function autoWatch(
  tx: Tx,
  project: ProjectRef,
  issueId: number,
  userId: number,
  occasion: AutoWatch,
): Promise<void> {
  await holdMembership(tx, project, userId);
  await sql`
    insert into issue_watchers (issue_id, user_id)
    select ${issueId}, id from users
    where id = ${userId} and ${sql.ref(occasion)} and id in (${usersWhere(project, "issues:read")})
    on conflict do nothing`.execute(tx);
}

/** A project's owners are told of its reports from the beginning (service.md 6, rule 3). */
export async function watchReportsAsOwners(tx: Tx, projectId: number): Promise<void> {
  await sql`
    insert into report_watchers (project_id, workspace_id, user_id)
    select project_id, workspace_id, user_id from project_members
    where project_id = ${projectId} and is_owner
    on conflict do nothing`.execute(tx);
}

/**
 * Keeps what gives somebody access as it is until the transaction ends: a watch that is added while they are taken out
 * is either seen by endLostWatches, or not added.
 */
export async function holdMembership(tx: Tx, project: ProjectRef, userId: number): Promise<void> {
  await sql`select from workspace_members
    where workspace_id = ${project.workspace_id} and user_id = ${userId} for share`.execute(tx);
  await sql`select from project_members
    where project_id = ${project.id} and user_id = ${userId} for share`.execute(tx);
}

/**
 * Ends somebody's watches in those projects of the workspace that they can no longer access (decisions.md 4). Called
 * after whatever took access away, in its transaction.
 */
export async function endLostWatches(tx: Tx, workspaceId: number, userId: number): Promise<void> {
  const lost = sql`
    select id from projects where workspace_id = ${workspaceId} and id not in (${accessibleProjects(userId)})`;
  await sql`delete from report_watchers where user_id = ${userId} and project_id in (${lost})`.execute(tx);
  await sql`delete from issue_watchers w using issues i
    where w.user_id = ${userId} and i.id = w.issue_id and i.project_id in (${lost})`.execute(tx);
}
