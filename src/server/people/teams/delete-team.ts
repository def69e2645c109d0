import type { Db } from "../../db/connect.ts";
import { endLostWatches } from "../../inform/watches/watches.ts";
import { recordAudit } from "../../record/audit.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { readTeam, teamUsers } from "./read-teams.ts";

/** Deletes a team, and with it the access it gave. 404 when it is not the workspace's. */
export async function deleteTeam(db: Db, workspaceId: number, teamId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const { name } = await readTeam(tx, workspaceId, teamId);
    const userIds = await teamUsers(tx, teamId);
    await tx.deleteFrom("teams").where("id", "=", teamId).execute();
    await endLostWatches(tx, workspaceId, userIds);
    await recordAudit(tx, {
      kind: "team.deleted",
      workspace_id: workspaceId,
      subject: { type: "team", id: teamId, name },
    });
  });
}
