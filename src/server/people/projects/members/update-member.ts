import type { z } from "zod";
import type { ProjectMember, projectMemberChanges } from "../../../../shared/projects.ts";
import type { ProjectRef } from "../../../access/access-queries.ts";
import type { Caller } from "../../../access/caller.ts";
import type { Access } from "../../../access/project-access.ts";
import { invalid } from "../../../answers/errors.ts";
import type { Db } from "../../../db/connect.ts";
import { changedColumns, sentColumns } from "../../../db/patch-columns.ts";
import { endLostWatches } from "../../../inform/watches/watches.ts";
import { recordAudit } from "../../../record/audit.ts";
import { lockRolePermissions, requirePermissions } from "../../roles/give-role.ts";
import { lockWorkspace } from "../../workspaces/lock-workspace.ts";
import { lockMember } from "./lock-member.ts";
import { readProjectMember } from "./read-members.ts";
import { requireFullAccess, requireMakingOwners } from "./require-owner.ts";

type MemberChange = {
  access: Access;
  userId: number;
  body: z.output<typeof projectMemberChanges>;
  caller: Caller;
};

/**
 * Updates role or ownership. 404 if the user is not a member, 422 on `role_id` for a role of another workspace, 403 if the
 * caller may not assign the role or change owners. Making someone an owner takes a browser session.
 */
export async function updateProjectMember(
  db: Db,
  project: ProjectRef,
  { access, userId, body, caller }: MemberChange,
): Promise<ProjectMember> {
  return db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, project.workspace_id);
    const before = await lockMember(tx, project.id, userId);
    const sentFields = { role_id: body.role_id, is_owner: body.is_owner };
    if (sentColumns(sentFields) && (before.is_owner || body.is_owner)) requireFullAccess(access);
    if (body.is_owner && !before.is_owner) requireMakingOwners(access, caller);
    const changes = changedColumns(before, sentFields);
    if (changes) {
      if (changes.role_id !== undefined) {
        const permissions = await lockRolePermissions(tx, project.workspace_id, changes.role_id);
        if (!permissions) throw invalid({ role_id: ["is not a role of the workspace"] });
        requirePermissions(access, permissions);
      }
      await tx
        .updateTable("project_members")
        .set(changes)
        .where("project_id", "=", project.id)
        .where("user_id", "=", userId)
        .execute();
      await endLostWatches(tx, project.workspace_id, [userId]);
      await recordAudit(tx, {
        kind: "project_member.changed",
        project_id: project.id,
        subject: { type: "user", id: userId },
        details: changes,
      });
    }
    return readProjectMember(tx, project.id, userId);
  });
}
