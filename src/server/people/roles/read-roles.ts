import { sql } from "kysely";
import type { Role } from "../../../shared/roles.ts";
import { notFound } from "../../answers/errors.ts";
import type { Page } from "../../../shared/answers.ts";
import { type PageQuery, readPage } from "../../answers/page.ts";
import type { Db, Tx } from "../../db/connect.ts";

/** By id. */
export function listRoles(db: Db, workspaceId: number, query: PageQuery): Promise<Page<Role>> {
  return readPage(rolesOf(db, workspaceId), query, "r.id");
}

/** 404 if it is not a role of this workspace. */
export async function readRole(db: Db, workspaceId: number, roleId: number): Promise<Role> {
  const row = await rolesOf(db, workspaceId).where("r.id", "=", roleId).executeTakeFirst();
  if (!row) throw notFound("There is no such role.");
  return row;
}

function rolesOf(db: Db, workspaceId: number) {
  return db
    .selectFrom("roles as r")
    .select(["r.id", "r.name", "r.permissions", "r.built_in"])
    .select([
      sql<number>`(select count(*) from project_members m where m.role_id = r.id)`.as("members_count"),
      sql<number>`(select count(*) from project_teams t where t.role_id = r.id)`.as("teams_count"),
    ])
    .select("r.created_at")
    .where("r.workspace_id", "=", workspaceId);
}

/** The ids of the users who have the role in a project, directly or through a team. */
export async function holdersOf(tx: Tx, roleId: number): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    select user_id from project_members where role_id = ${roleId}
    union
    select m.user_id from project_teams t join team_members m on m.team_id = t.team_id
    where t.role_id = ${roleId}`.execute(tx);
  return rows.map((row) => row.user_id);
}
