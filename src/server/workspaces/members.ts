import type { z } from "zod";
import type { WorkspaceMember, workspaceMemberChanges } from "../../shared/workspaces.ts";
import type { Db, Tx } from "../db/connect.ts";
import { invalid, notFound, refused } from "../http/errors.ts";
import { afterId, page, type Page, type PageQuery } from "../http/page.ts";
import { endLostWatches } from "../notifications/watches.ts";
import { lockWorkspace } from "./workspaces.ts";

/** By user id. */
export async function listWorkspaceMembers(
  db: Db,
  workspaceId: number,
  query: PageQuery,
): Promise<Page<WorkspaceMember>> {
  const rows = await membersOf(db, workspaceId)
    .where("m.user_id", ">", afterId(query))
    .orderBy("m.user_id")
    .limit(query.limit + 1)
    .execute();
  return page(rows as WorkspaceMember[], query, (row) => row.user_id);
}

/** 404 when the user is not a member of this workspace. */
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
    .where("m.workspace_id", "=", workspaceId);
}

/** Makes a member an administrator or no longer one; 422 on `is_admin` for the last administrator. */
export async function updateWorkspaceMember(
  db: Db,
  workspaceId: number,
  userId: number,
  body: z.output<typeof workspaceMemberChanges>,
): Promise<WorkspaceMember> {
  return db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const before = await readWorkspaceMember(tx, workspaceId, userId);
    const { is_admin } = body;
    if (is_admin === undefined || is_admin === before.is_admin) return before;
    if (!is_admin && !(await hasOtherAdministrator(tx, workspaceId, userId)))
      throw invalid({ is_admin: ["must stay: this is the last administrator of the workspace"] });
    await tx
      .updateTable("workspace_members")
      .set({ is_admin })
      .where("workspace_id", "=", workspaceId)
      .where("user_id", "=", userId)
      .execute();
    await endLostWatches(tx, workspaceId, userId);
    return { ...before, is_admin };
  });
}

/** Takes a member out of the workspace and of its projects; 422 for the last administrator. */
export async function removeWorkspaceMember(db: Db, workspaceId: number, userId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const before = await readWorkspaceMember(tx, workspaceId, userId);
    if (before.is_admin && !(await hasOtherAdministrator(tx, workspaceId, userId)))
      throw refused("The last administrator of a workspace cannot be removed.");
    await tx
      .deleteFrom("workspace_members")
      .where("workspace_id", "=", workspaceId)
      .where("user_id", "=", userId)
      .execute();
    await endLostWatches(tx, workspaceId, userId);
  });
}

/** Asked under the workspace's lock, or two administrators could take each other out. */
async function hasOtherAdministrator(tx: Tx, workspaceId: number, userId: number): Promise<boolean> {
  const row = await tx
    .selectFrom("workspace_members")
    .select("user_id")
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "<>", userId)
    .where("is_admin", "=", true)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
