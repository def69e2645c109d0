import type { TeamMember } from "../../../shared/teams.ts";
import { recordAudit } from "../../record/audit.ts";
import type { Db } from "../../db/connect.ts";
import { notFound, refused } from "../../answers/errors.ts";
import { notifyTeamMembership } from "../../inform/notify/membership-notifications.ts";
import { endLostWatches } from "../../inform/watches/watches.ts";
import { readWorkspaceMember } from "../workspaces/members.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { readTeam } from "./teams.ts";

type Place = { workspaceId: number; teamId: number; userId: number };

/**
 * Puts a member of the workspace into a team and tells them; `isNew` is false for somebody who is in it already, whom
 * nobody tells. 404 for an unknown team and for somebody outside the workspace, 422 for somebody deactivated there.
 */
export async function addTeamMember(
  db: Db,
  { workspaceId, teamId, userId }: Place,
  actorId: number,
): Promise<{ isNew: boolean; member: TeamMember }> {
  return db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const { id, name } = await readTeam(tx, workspaceId, teamId);
    const { is_admin: _, ...member } = await readWorkspaceMember(tx, workspaceId, userId);
    if (!member.active)
      throw refused("Somebody who is deactivated in the workspace cannot be added to a team.");
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

/** Takes somebody out of a team, and of the projects they had by it alone. 404 when they are not in it. */
export async function removeTeamMember(db: Db, { workspaceId, teamId, userId }: Place): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const team = await readTeam(tx, workspaceId, teamId);
    const result = await tx
      .deleteFrom("team_members")
      .where("team_id", "=", teamId)
      .where("user_id", "=", userId)
      .executeTakeFirst();
    if (result.numDeletedRows === 0n) throw notFound("There is no such member.");
    await endLostWatches(tx, workspaceId, [userId]);
    await recordAudit(tx, {
      kind: "team_member.removed",
      workspace_id: workspaceId,
      subject: { type: "user", id: userId },
      details: { team_id: teamId, team_name: team.name },
    });
  });
}
