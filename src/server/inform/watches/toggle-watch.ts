import { sql, type RawBuilder } from "kysely";
import { type ProjectRef, usersWhere } from "../../access/access-queries.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { forbidden, notFound } from "../../answers/errors.ts";
import { missingGroup } from "../../record/merged-groups.ts";
import { lockMembership } from "./watches.ts";

/** An issue or error group to watch. */
export type Watched = { kind: "issue" | "error_group"; id: number };

const TABLES = {
  issue: { things: "issues", watchers: "issue_watchers", column: "issue_id" },
  error_group: { things: "error_groups", watchers: "error_group_watchers", column: "group_id" },
} as const;

export async function isWatching(db: Db, watched: Watched, userId: number): Promise<boolean> {
  const { rows } = await sql`select ${ofUser(watched, userId)}`.execute(db);
  return rows.length > 0;
}

/**
 * Sets whether the user watches the issue or error group; without `wanted`, toggles it. Returns whether they now do. 404 if it
 * has been deleted.
 */
export async function toggleWatch(
  db: Db,
  project: ProjectRef,
  { watched, userId, wanted }: { watched: Watched; userId: number; wanted?: boolean | undefined },
): Promise<boolean> {
  const { things, watchers, column } = TABLES[watched.kind];
  return serializeToggles(db, project, userId, async (tx) => {
    const watching = await isWatching(tx, watched, userId);
    if (watching === wanted) return watching;
    if (watching) {
      await sql`delete ${ofUser(watched, userId)}`.execute(tx);
      return false;
    }
    const { numAffectedRows } = await sql`
      insert into ${sql.table(watchers)} (${sql.ref(column)}, user_id)
      select id, ${userId} from ${sql.table(things)} where id = ${watched.id} for key share
      on conflict do nothing`.execute(tx);
    // A concurrent comment or merge may have made the user watch it.
    if (numAffectedRows === 0n && !(await isWatching(tx, watched, userId)))
      throw await missing(tx, project, watched);
    return true;
  });
}

const missing = async (tx: Tx, { id: projectId }: ProjectRef, { kind, id }: Watched) =>
  kind === "issue" ? notFound("There is no such issue.") : missingGroup(tx, projectId, id);

function ofUser({ kind, id }: Watched, userId: number): RawBuilder<unknown> {
  const { watchers, column } = TABLES[kind];
  return sql`from ${sql.table(watchers)} where ${sql.ref(column)} = ${id} and user_id = ${userId}`;
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
 * Sets whether the user watches the project's reports; without `wanted`, toggles it. Returns the ids of all users who now do.
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
