import { sql } from "kysely";
import type { z } from "zod";
import type { ProjectMember, projectMemberBody } from "../../../../shared/projects.ts";
import type { ProjectRef } from "../../../access/access-queries.ts";
import type { Caller } from "../../../access/caller.ts";
import type { Access } from "../../../access/project-access.ts";
import { type FieldErrors, invalid } from "../../../answers/errors.ts";
import type { Db, Tx } from "../../../db/connect.ts";
import { notifyProjectMembership } from "../../../inform/notify/membership-notifications.ts";
import { recordAudit } from "../../../record/audit.ts";
import { lockRolePermissions, requirePermissions } from "../../roles/give-role.ts";
import { lockProject } from "../lock-project.ts";
import { readProjectMember } from "./read-members.ts";
import { requireMakingOwners } from "./require-owner.ts";

/**
 * 422 on `user_id` if the user is not an active member of the workspace or is already in the project, on `role_id` for a
 * role of another workspace; 403 if the caller may not assign the role or make owners, which takes a browser session.
 */
export async function addProjectMember(
  db: Db,
  project: ProjectRef,
  { access, caller, body }: { access: Access; caller: Caller; body: z.output<typeof projectMemberBody> },
): Promise<ProjectMember> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, project.id);
    const errors: FieldErrors = {};
    const member = await lockWorkspaceMember(tx, project.workspace_id, body.user_id);
    if (!member) errors["user_id"] = ["is not a member of the workspace"];
    else if (!member.active) errors["user_id"] = ["is deactivated in the workspace"];
    const permissions = await lockRolePermissions(tx, project.workspace_id, body.role_id);
    if (!permissions) errors["role_id"] = ["is not a role of the workspace"];
    if (!permissions || Object.keys(errors).length > 0) throw invalid(errors);
    if (body.is_owner) requireMakingOwners(access, caller);
    requirePermissions(access, permissions);
    const row = await tx
      .insertInto("project_members")
      .values({
        project_id: project.id,
        workspace_id: project.workspace_id,
        user_id: body.user_id,
        role_id: body.role_id,
        is_owner: body.is_owner ?? false,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning("user_id")
      .executeTakeFirst();
    if (!row) throw invalid({ user_id: ["is already a member of the project"] });
    await notifyProjectMembership(tx, {
      projectId: project.id,
      userIds: [row.user_id],
      actorId: caller.user_id,
    });
    await recordAudit(tx, {
      kind: "project_member.added",
      project_id: project.id,
      subject: { type: "user", id: row.user_id },
      details: { role_id: body.role_id, is_owner: body.is_owner ?? false },
    });
    return readProjectMember(tx, project.id, row.user_id);
  });
}

async function lockWorkspaceMember(tx: Tx, workspaceId: number, userId: number) {
  return tx
    .selectFrom("workspace_members")
    .select(sql<boolean>`deactivated_at is null`.as("active"))
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .forShare()
    .executeTakeFirst();
}
