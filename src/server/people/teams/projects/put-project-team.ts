import { sql } from "kysely";
import type { z } from "zod";
import type { ProjectTeam, projectTeamBody } from "../../../../shared/teams.ts";
import { type ProjectRef, usersWhere } from "../../../access/access-queries.ts";
import type { Access } from "../../../access/project-access.ts";
import { invalid } from "../../../answers/errors.ts";
import type { Db, Tx } from "../../../db/connect.ts";
import { notifyProjectMembership } from "../../../inform/notify/membership-notifications.ts";
import { endLostWatches } from "../../../inform/watches/watches.ts";
import { recordAudit } from "../../../record/audit.ts";
import { lockProject } from "../../projects/lock-project.ts";
import { lockRolePermissions, requirePermissions } from "../../roles/give-role.ts";
import { lockWorkspace } from "../../workspaces/lock-workspace.ts";
import { readTeam, readTeamUserIds } from "../read-teams.ts";
import { readProjectTeam } from "./read-project-teams.ts";

type ProjectTeamChange = {
  access: Access;
  actorId: number;
  teamId: number;
  body: z.output<typeof projectTeamBody>;
};

/**
 * Gives a team access to the project with a role, or changes the role of a team that has access (`isNew` is false then).
 * Notifies members who had no access before. 404 for a team of another workspace, 422 on `role_id` for a role of another
 * workspace, 403 for a role with more permissions than the caller's.
 */
export async function putProjectTeam(
  db: Db,
  project: ProjectRef,
  { access, actorId, teamId, body }: ProjectTeamChange,
): Promise<{ isNew: boolean; team: ProjectTeam }> {
  return db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, project.workspace_id);
    await lockProject(tx, project.id);
    const { name } = await readTeam(tx, project.workspace_id, teamId);
    const permissions = await lockRolePermissions(tx, project.workspace_id, body.role_id);
    if (!permissions) throw invalid({ role_id: ["is not a role of the workspace"] });
    requirePermissions(access, permissions);
    const had = await readProjectTeam(tx, project.id, teamId);
    if (had?.role_id === body.role_id) return { isNew: false, team: had };
    const newcomers = await usersWithoutAccess(tx, project, teamId);
    await tx
      .insertInto("project_teams")
      .values({
        project_id: project.id,
        workspace_id: project.workspace_id,
        team_id: teamId,
        role_id: body.role_id,
      })
      .onConflict((conflict) =>
        conflict.columns(["project_id", "team_id"]).doUpdateSet({ role_id: body.role_id }),
      )
      .execute();
    await notifyProjectMembership(tx, { projectId: project.id, userIds: newcomers, actorId });
    if (had) await endLostWatches(tx, project.workspace_id, await readTeamUserIds(tx, teamId));
    await recordAudit(tx, {
      kind: had ? "project_team.changed" : "project_team.added",
      project_id: project.id,
      subject: { type: "team", id: teamId, name },
      details: { role_id: body.role_id },
    });
    return { isNew: !had, team: (await readProjectTeam(tx, project.id, teamId)) as ProjectTeam };
  });
}

async function usersWithoutAccess(tx: Tx, project: ProjectRef, teamId: number): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    select user_id from team_members
    where team_id = ${teamId} and user_id not in (${usersWhere(project)})`.execute(tx);
  return rows.map((row) => row.user_id);
}
