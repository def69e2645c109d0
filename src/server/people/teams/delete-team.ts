import type { Db } from "../../db/connect.ts";
import { endLostWatches } from "../../inform/watches/watches.ts";
import { recordAudit } from "../../record/audit.ts";
import { announceLostAccess } from "../workspaces/announce-lost-access.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { readTeam, readTeamUserIds } from "./read-teams.ts";

/** Deletes a team, which ends the access that members had through it. 404 if there is no such team. */
export async function deleteTeam(db: Db, workspaceId: number, teamId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const { name } = await readTeam(tx, workspaceId, teamId);
    const userIds = await readTeamUserIds(tx, teamId);
    await tx.deleteFrom("teams").where("id", "=", teamId).execute();
    await endLostWatches(tx, workspaceId, userIds);
    await announceLostAccess(tx, userIds);
    await recordAudit(tx, {
      kind: "team.deleted",
      workspace_id: workspaceId,
      subject: { type: "team", id: teamId, name },
    });
  });
}
