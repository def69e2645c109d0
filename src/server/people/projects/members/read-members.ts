import { sql } from "kysely";
import type { ProjectMember } from "../../../../shared/projects.ts";
import { notFound } from "../../../answers/errors.ts";
import type { Page } from "../../../../shared/answers.ts";
import { type PageQuery, readPage } from "../../../answers/page.ts";
import type { Db } from "../../../db/connect.ts";

/**
 * By user id. Administrators of the workspace and members of the project's teams have access even if they are not
 * listed here.
 */
export function listProjectMembers(
  db: Db,
  projectId: number,
  query: PageQuery,
): Promise<Page<ProjectMember>> {
  const rows = membersOf(db, projectId).$castTo<ProjectMember>();
  return readPage(rows, query, "pm.user_id");
}

/** 404 if the user is not a member of this project. */
export async function readProjectMember(db: Db, projectId: number, userId: number): Promise<ProjectMember> {
  const row = await membersOf(db, projectId).where("pm.user_id", "=", userId).executeTakeFirst();
  if (!row) throw noSuchMember();
  return row as ProjectMember;
}

function membersOf(db: Db, projectId: number) {
  return db
    .selectFrom("project_members as pm")
    .innerJoin("users as u", "u.id", "pm.user_id")
    .innerJoin("workspace_members as wm", (on) =>
      on.onRef("wm.workspace_id", "=", "pm.workspace_id").onRef("wm.user_id", "=", "pm.user_id"),
    )
    .select(["pm.user_id", "u.username", "u.first_name", "u.last_name", "u.profile_picture"])
    .select([
      "wm.is_admin",
      sql<boolean>`wm.deactivated_at is null`.as("active"),
      "pm.role_id",
      "pm.is_owner",
    ])
    .where("pm.project_id", "=", projectId);
}

export const noSuchMember = () => notFound("There is no such member.");
