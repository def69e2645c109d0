import { sql } from "kysely";
import type { WorkspaceMember } from "../../../../shared/workspaces.ts";
import { notFound } from "../../../answers/errors.ts";
import type { Page } from "../../../../shared/answers.ts";
import { type PageQuery, readPage } from "../../../answers/page.ts";
import type { Db } from "../../../db/connect.ts";

/** By user id, including deactivated members. */
export function listWorkspaceMembers(
  db: Db,
  workspaceId: number,
  query: PageQuery,
): Promise<Page<WorkspaceMember>> {
  const rows = membersOf(db, workspaceId).$castTo<WorkspaceMember>();
  return readPage(rows, query, "m.user_id");
}

/** 404 if the user is not a member of this workspace. */
export async function readWorkspaceMember(
  db: Db,
  workspaceId: number,
  userId: number,
): Promise<WorkspaceMember> {
  const row = await membersOf(db, workspaceId).where("m.user_id", "=", userId).executeTakeFirst();
  if (!row) throw notFound("There is no such member.");
  return row as WorkspaceMember;
}

function membersOf(db: Db, workspaceId: number) {
  return db
    .selectFrom("workspace_members as m")
    .innerJoin("users as u", "u.id", "m.user_id")
    .select(["m.user_id", "u.username", "u.first_name", "u.last_name", "u.profile_picture", "m.is_admin"])
    .select(sql<boolean>`m.deactivated_at is null`.as("active"))
    .where("m.workspace_id", "=", workspaceId);
}
