import { sql } from "kysely";
import type { z } from "zod";
import type { WorkspaceMember, workspaceMemberChanges } from "../../../shared/workspaces.ts";
import { recordAudit } from "../../record/audit.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { invalid, notFound, refused } from "../../answers/errors.ts";
import { readPage, type Page, type PageQuery } from "../../answers/page.ts";
import { endLostWatches } from "../../inform/watches/watches.ts";
import { lockWorkspace } from "./lock-workspace.ts";

/** By user id, those who were deactivated among them. */
export function listWorkspaceMembers(
  db: Db,
  workspaceId: number,
  query: PageQuery,
): Promise<Page<WorkspaceMember>> {
  const rows = membersOf(db, workspaceId).$castTo<WorkspaceMember>();
  return readPage(rows, query, "m.user_id");
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
    .select(sql<boolean>`m.deactivated_at is null`.as("active"))
    .where("m.workspace_id", "=", workspaceId);
}

/**
 * Makes a member an administrator or no longer one, deactivates or activates them again. Whoever is deactivated keeps
 * roles, teams and name, but has no access to anything of the workspace, and neither have tokens they made. 422 on
 * `is_admin` or `active` when no active administrator would be left.
 */
export async function updateWorkspaceMember(
  db: Db,
  workspaceId: number,
  userId: number,
  body: z.output<typeof workspaceMemberChanges>,
): Promise<WorkspaceMember> {
  return db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const before = await readWorkspaceMember(tx, workspaceId, userId);
    const { is_admin = before.is_admin, active = before.active } = body;
    if (is_admin === before.is_admin && active === before.active) return before;
    if (isAdministrator(before) && !(is_admin && active) && (await isLast(tx, workspaceId, userId))) {
      const stay = ["must stay: this is the last administrator of the workspace"];
      throw invalid({ ...(is_admin ? {} : { is_admin: stay }), ...(active ? {} : { active: stay }) });
    }
    await tx
      .updateTable("workspace_members")
      .set({
        is_admin,
        deactivated_at: active ? null : sql<string>`coalesce(deactivated_at, clock_timestamp())`,
      })
      .where("workspace_id", "=", workspaceId)
      .where("user_id", "=", userId)
      .execute();
    await endLostWatches(tx, workspaceId, [userId]);
    await recordAudit(tx, {
      kind: "workspace_member.changed",
      workspace_id: workspaceId,
      subject: { type: "user", id: userId },
      details: {
        ...(is_admin === before.is_admin ? {} : { is_admin }),
        ...(active === before.active ? {} : { active }),
      },
    });
    return { ...before, is_admin, active };
  });
}

/** Takes a member out of the workspace, its teams and its projects; 422 for the last active administrator. */
export async function removeWorkspaceMember(db: Db, workspaceId: number, userId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const before = await readWorkspaceMember(tx, workspaceId, userId);
    if (isAdministrator(before) && (await isLast(tx, workspaceId, userId)))
      throw refused("The last administrator of a workspace cannot be removed.");
    await tx
      .deleteFrom("workspace_members")
      .where("workspace_id", "=", workspaceId)
      .where("user_id", "=", userId)
      .execute();
    await endLostWatches(tx, workspaceId, [userId]);
    await recordAudit(tx, {
      kind: "workspace_member.removed",
      workspace_id: workspaceId,
      subject: { type: "user", id: userId },
      details: { is_admin: before.is_admin },
    });
  });
}

const isAdministrator = (member: WorkspaceMember) => member.is_admin && member.active;

/**
 * Whether no other administrator of the workspace is active. Asked under the workspace's lock, or two administrators
 * could take each other out.
 */
async function isLast(tx: Tx, workspaceId: number, userId: number): Promise<boolean> {
  const other = await tx
    .selectFrom("workspace_members")
    .select("user_id")
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "<>", userId)
    .where("is_admin", "=", true)
    .where("deactivated_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return other === undefined;
}
