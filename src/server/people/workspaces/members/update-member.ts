import { sql } from "kysely";
import type { z } from "zod";
import type { WorkspaceMember, workspaceMemberChanges } from "../../../../shared/workspaces.ts";
import { requireSession } from "../../../access/admission.ts";
import type { Caller } from "../../../access/caller.ts";
import { invalid } from "../../../answers/errors.ts";
import type { Db } from "../../../db/connect.ts";
import { endLostWatches } from "../../../inform/watches/watches.ts";
import { recordAudit } from "../../../record/audit.ts";
import { lockWorkspace } from "../lock-workspace.ts";
import { isLastAdministrator } from "./last-administrator.ts";
import { readWorkspaceMember } from "./read-members.ts";

/**
 * Makes a member an administrator or not, deactivates or reactivates them. Deactivated members keep their roles and teams,
 * but they and the tokens they created have no access to anything in the workspace. 422 on `is_admin` or `active` if no
 * active administrator would be left, 403 if a token would make someone an active administrator.
 */
export async function updateWorkspaceMember(
  db: Db,
  workspaceId: number,
  { userId, body, caller }: { userId: number; body: z.output<typeof workspaceMemberChanges>; caller: Caller },
): Promise<WorkspaceMember> {
  return db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const before = await readWorkspaceMember(tx, workspaceId, userId);
    const { is_admin = before.is_admin, active = before.active } = body;
    if (is_admin === before.is_admin && active === before.active) return before;
    if (!(is_admin && active) && (await isLastAdministrator(tx, workspaceId, before))) {
      const errors = ["cannot be changed: this is the last administrator of the workspace"];
      throw invalid({ ...(is_admin ? {} : { is_admin: errors }), ...(active ? {} : { active: errors }) });
    }
    // A leaked token could otherwise make its thief's own account an administrator.
    if (is_admin && active) requireSession({ caller }, "make an administrator");
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
