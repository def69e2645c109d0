import type { ProjectRef } from "../../../access/access-queries.ts";
import type { Access } from "../../../access/project-access.ts";
import type { Db } from "../../../db/connect.ts";
import { endLostWatches } from "../../../inform/watches/watches.ts";
import { recordAudit } from "../../../record/audit.ts";
import { announceLostAccess } from "../../workspaces/announce-lost-access.ts";
import { lockWorkspace } from "../../workspaces/lock-workspace.ts";
import { lockMember } from "./lock-member.ts";
import { requireFullAccess } from "./require-owner.ts";

/** The last owner can be removed, because administrators of the workspace always have access. */
export async function removeProjectMember(
  db: Db,
  project: ProjectRef,
  access: Access,
  userId: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, project.workspace_id);
    const before = await lockMember(tx, project.id, userId);
    if (before.is_owner) requireFullAccess(access);
    await tx
      .deleteFrom("project_members")
      .where("project_id", "=", project.id)
      .where("user_id", "=", userId)
      .execute();
    await endLostWatches(tx, project.workspace_id, [userId]);
    await announceLostAccess(tx, [userId]);
    await recordAudit(tx, {
      kind: "project_member.removed",
      project_id: project.id,
      subject: { type: "user", id: userId },
      details: before,
    });
  });
}
