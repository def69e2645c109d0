import type { Workspace } from "../../../shared/workspaces.ts";
import { featuresOfW } from "../../access/features.ts";
import type { Page } from "../../../shared/answers.ts";
import { type PageQuery, readPage } from "../../answers/page.ts";
import type { Db } from "../../db/connect.ts";
import { noSuchWorkspace } from "./lock-workspace.ts";

/** The workspaces of which the user is an active member. */
export function listWorkspaces(db: Db, userId: number, query: PageQuery): Promise<Page<Workspace>> {
  return readPage(workspacesOf(db, userId), query, "w.id");
}

/** The workspace as this user sees it. 404 unless they are an active member. */
export async function readWorkspace(db: Db, workspaceId: number, userId: number): Promise<Workspace> {
  const row = await workspacesOf(db, userId).where("w.id", "=", workspaceId).executeTakeFirst();
  if (!row) throw noSuchWorkspace();
  return row;
}

function workspacesOf(db: Db, userId: number) {
  return db
    .selectFrom("workspaces as w")
    .innerJoin("workspace_members as m", "m.workspace_id", "w.id")
    .where("m.user_id", "=", userId)
    .where("m.deactivated_at", "is", null)
    .where("w.deleted_at", "is", null)
    .select(["w.id", "w.name"])
    .select(featuresOfW.as("features"))
    .select(["m.is_admin", "w.created_at", "w.updated_at"]);
}

/** Whether the user administers any workspace, which is required to create another. */
export async function isAdministratorSomewhere(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom("workspace_members")
    .select("user_id")
    .where("user_id", "=", userId)
    .where("is_admin", "=", true)
    .where("deactivated_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
