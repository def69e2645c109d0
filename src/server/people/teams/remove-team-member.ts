import { notFound } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";
import { endLostWatches } from "../../inform/watches/watches.ts";
import { recordAudit } from "../../record/audit.ts";
import { announceLostAccess } from "../workspaces/announce-lost-access.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import type { TeamMembership } from "./add-team-member.ts";
import { readTeam } from "./read-teams.ts";

/** Removes a member from a team, which ends their access to projects they had only through it. 404 if not in the team. */
export async function removeTeamMember(
  db: Db,
  { workspaceId, teamId, userId }: TeamMembership,
): Promise<void> {
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
    await announceLostAccess(tx, [userId]);
    await recordAudit(tx, {
      kind: "team_member.removed",
      workspace_id: workspaceId,
      subject: { type: "user", id: userId },
      details: { team_id: teamId, team_name: team.name },
    });
  });
}
