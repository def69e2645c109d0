import { sql } from "kysely";
import type { z } from "zod";
import type { WorkspaceMember, workspaceMemberChanges } from "../../../../shared/workspaces.ts";
import { invalid } from "../../../answers/errors.ts";
import type { Db } from "../../../db/connect.ts";
import { endLostWatches } from "../../../inform/watches/watches.ts";
import { recordAudit } from "../../../record/audit.ts";
import { lockWorkspace } from "../lock-workspace.ts";
import { isAdministrator, isLast } from "./last-administrator.ts";
import { readWorkspaceMember } from "./read-members.ts";

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
