import type { TeamMember } from "../../../shared/teams.ts";
import { refused } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";
import { notifyTeamMembership } from "../../inform/notify/membership-notifications.ts";
import { recordAudit } from "../../record/audit.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { readWorkspaceMember } from "../workspaces/members/read-members.ts";
import { readTeam } from "./read-teams.ts";

export type TeamMembership = { workspaceId: number; teamId: number; userId: number };

/**
 * Adds a member of the workspace to a team and notifies them. `isNew` is false if they are already in it. 404 for an
 * unknown team or user, 422 if the user is deactivated in the workspace.
 */
export async function addTeamMember(
  db: Db,
  { workspaceId, teamId, userId }: TeamMembership,
  actorId: number,
): Promise<{ isNew: boolean; member: TeamMember }> {
  return db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const { id, name } = await readTeam(tx, workspaceId, teamId);
    const { is_admin: _, ...member } = await readWorkspaceMember(tx, workspaceId, userId);
    if (!member.active) throw refused("A deactivated member cannot be added to a team.");
    const row = await tx
      .insertInto("team_members")
      .values({ team_id: teamId, workspace_id: workspaceId, user_id: userId })
      .onConflict((conflict) => conflict.doNothing())
      .returning("user_id")
      .executeTakeFirst();
    if (!row) return { isNew: false, member };
    const team = { id, name, workspace_id: workspaceId };
    await notifyTeamMembership(tx, { team, userIds: [userId], actorId });
    await recordAudit(tx, {
      kind: "team_member.added",
      workspace_id: workspaceId,
      subject: { type: "user", id: userId },
      details: { team_id: id, team_name: name },
    });
    return { isNew: true, member };
  });
}
