import { sql } from "kysely";
import { type ProjectRef, usersWhere } from "../../access/access-queries.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { forbidden, notFound } from "../../answers/errors.ts";
import { lockMembership } from "./watches.ts";

export async function isWatching(db: Db, issueId: number, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom("issue_watchers")
    .select("user_id")
    .where("issue_id", "=", issueId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Sets whether the user watches the issue, or flips it without `wanted`. Returns whether they now do. 404 if the issue
 * has been deleted.
 */
export async function toggleIssueWatch(
  db: Db,
  project: ProjectRef,
  issueId: number,
  userId: number,
  wanted?: boolean,
): Promise<boolean> {
  return serializeToggles(db, project, userId, async (tx) => {
    const watching = await isWatching(tx, issueId, userId);
    if (watching === wanted) return watching;
    if (watching) {
      await sql`delete from issue_watchers where issue_id = ${issueId} and user_id = ${userId}`.execute(tx);
      return false;
    }
    const { numAffectedRows } = await sql`
      insert into issue_watchers (issue_id, user_id)
      select id, ${userId} from issues where id = ${issueId} for key share`.execute(tx);
    if (numAffectedRows === 0n) throw notFound("There is no such issue.");
    return true;
  });
}

/** The ids of the users who watch the project's reports, in ascending order. */
export async function listReportWatchers(db: Db, projectId: number): Promise<number[]> {
  const rows = await db
    .selectFrom("report_watchers")
    .select("user_id")
    .where("project_id", "=", projectId)
    .orderBy("user_id")
    .execute();
  return rows.map((row) => row.user_id);
}

/**
 * Sets whether the user watches the project's reports, or flips it without `wanted`. Returns the ids of all users who now
 * do.
 */
export async function toggleReportWatch(
  db: Db,
  project: ProjectRef,
  userId: number,
  wanted?: boolean,
): Promise<number[]> {
  return serializeToggles(db, project, userId, async (tx) => {
    const watchers = await listReportWatchers(tx, project.id);
    const watching = watchers.includes(userId);
    if (watching === wanted) return watchers;
    if (watching)
      await sql`delete from report_watchers where project_id = ${project.id} and user_id = ${userId}`.execute(
        tx,
      );
    else
      await sql`insert into report_watchers (project_id, workspace_id, user_id)
        values (${project.id}, ${project.workspace_id}, ${userId})`.execute(tx);
    return listReportWatchers(tx, project.id);
  });
}

/**
 * Runs the toggles of one user one after the other, so that each sees the result of the previous one. The user must have
 * access to the project, and cannot lose it before the transaction ends.
 */
async function serializeToggles<T>(
  db: Db,
  project: ProjectRef,
  userId: number,
  toggle: (tx: Tx) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`select from users where id = ${userId} for no key update`.execute(tx);
    await lockMembership(tx, project, userId);
    const { rows } = await sql`
      select from (${usersWhere(project)}) one where user_id = ${userId}`.execute(tx);
    if (rows.length === 0) throw forbidden("You have no access to this project.");
    return toggle(tx);
  });
}
