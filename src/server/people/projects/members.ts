import { sql } from "kysely";
import type { z } from "zod";
import type { ProjectMember, projectMemberBody, projectMemberChanges } from "../../../shared/projects.ts";
import type { ProjectRef } from "../../access/access-queries.ts";
import type { Access } from "../../access/project-access.ts";
import { recordAudit } from "../../record/audit.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { changed, sent } from "../../db/sent.ts";
import { forbidden, invalid, notFound, type FieldErrors } from "../../answers/errors.ts";
import { readPage, type Page, type PageQuery } from "../../answers/page.ts";
import { notifyProjectMembership } from "../../inform/notify/membership-notifications.ts";
import { endLostWatches } from "../../inform/watches/watches.ts";
import { permissionsOf, requireEach } from "../roles/give-role.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { lockProject } from "./lock-project.ts";

/**
 * Whoever holds `project:update` manages members, but cannot lift anybody above themselves: only an owner or an
 * administrator (`access.all`) makes, changes or removes an owner, and a role is given only by somebody who holds
 * all of its permissions.
 */

/**
 * By user id. Administrators of the workspace who were not added, and members of the project's teams, have access
 * without a row here.
 */
export function listProjectMembers(
  db: Db,
  projectId: number,
  query: PageQuery,
): Promise<Page<ProjectMember>> {
  const rows = membersOf(db, projectId).$castTo<ProjectMember>();
  return readPage(rows, query, "pm.user_id");
}

/** 404 when the user is not a member of this project. */
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

/**
 * 422 on `user_id` for somebody outside the workspace, deactivated there or in the project already, on `role_id` for
 * another workspace's role; 403 for what the caller may not give.
 */
export async function addProjectMember(
  db: Db,
  project: ProjectRef,
  access: Access,
  actorId: number,
  body: z.output<typeof projectMemberBody>,
): Promise<ProjectMember> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, project.id);
    const errors: FieldErrors = {};
    const member = await workspaceMember(tx, project.workspace_id, body.user_id);
    if (!member) errors["user_id"] = ["is not a member of the workspace"];
    else if (!member.active) errors["user_id"] = ["is deactivated in the workspace"];
    const permissions = await permissionsOf(tx, project.workspace_id, body.role_id);
    if (!permissions) errors["role_id"] = ["is not a role of the workspace"];
    if (!permissions || Object.keys(errors).length > 0) throw invalid(errors);
    if (body.is_owner) requireAll(access);
    requireEach(access, permissions);
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
    if (!row) throw invalid({ user_id: ["is a member of the project already"] });
    await notifyProjectMembership(tx, { projectId: project.id, userIds: [row.user_id], actorId });
    await recordAudit(tx, {
      kind: "project_member.added",
      project_id: project.id,
      subject: { type: "user", id: row.user_id },
      details: { role_id: body.role_id, is_owner: body.is_owner ?? false },
    });
    return readProjectMember(tx, project.id, row.user_id);
  });
}

/** Changes role or ownership. 404, 403 and 422 on `role_id` as above. */
export async function updateProjectMember(
  db: Db,
  project: ProjectRef,
  access: Access,
  userId: number,
  body: z.output<typeof projectMemberChanges>,
): Promise<ProjectMember> {
  return db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, project.workspace_id);
    const before = await lockMember(tx, project.id, userId);
    const asked = { role_id: body.role_id, is_owner: body.is_owner };
    if (sent(asked) && (before.is_owner || body.is_owner)) requireAll(access);
    const changes = changed(before, asked);
    if (changes) {
      if (changes.role_id !== undefined) {
        const permissions = await permissionsOf(tx, project.workspace_id, changes.role_id);
        if (!permissions) throw invalid({ role_id: ["is not a role of the workspace"] });
        requireEach(access, permissions);
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

/** The last owner may go, too: administrators can always act. */
export async function removeProjectMember(
  db: Db,
  project: ProjectRef,
  access: Access,
  userId: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, project.workspace_id);
    const before = await lockMember(tx, project.id, userId);
    if (before.is_owner) requireAll(access);
    await tx
      .deleteFrom("project_members")
      .where("project_id", "=", project.id)
      .where("user_id", "=", userId)
      .execute();
    await endLostWatches(tx, project.workspace_id, [userId]);
    await recordAudit(tx, {
      kind: "project_member.removed",
      project_id: project.id,
      subject: { type: "user", id: userId },
      details: before,
    });
  });
}

async function lockMember(tx: Tx, projectId: number, userId: number) {
  const row = await tx
    .selectFrom("project_members")
    .select(["role_id", "is_owner"])
    .where("project_id", "=", projectId)
    .where("user_id", "=", userId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw noSuchMember();
  return row;
}

/** Stays one until the transaction ends. */
async function workspaceMember(tx: Tx, workspaceId: number, userId: number) {
  return tx
    .selectFrom("workspace_members")
    .select(sql<boolean>`deactivated_at is null`.as("active"))
    .where("workspace_id", "=", workspaceId)
    .where("user_id", "=", userId)
    .forShare()
    .executeTakeFirst();
}

function requireAll(access: Access) {
  if (!access.all) throw forbidden("Only an owner or an administrator may do this with an owner.");
}

const noSuchMember = () => notFound("There is no such member.");
