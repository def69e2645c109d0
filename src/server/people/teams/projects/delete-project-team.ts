import type { ProjectRef } from "../../../access/access-queries.ts";
import { notFound } from "../../../answers/errors.ts";
import type { Db } from "../../../db/connect.ts";
import { endLostWatches } from "../../../inform/watches/watches.ts";
import { recordAudit } from "../../../record/audit.ts";
import { announceLostAccess } from "../../workspaces/announce-lost-access.ts";
import { lockWorkspace } from "../../workspaces/lock-workspace.ts";
import { readTeam, readTeamUserIds } from "../read-teams.ts";

/** Ends a team's access to the project. 404 if the team has no access. */
export async function deleteProjectTeam(db: Db, project: ProjectRef, teamId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, project.workspace_id);
    const result = await tx
      .deleteFrom("project_teams")
      .where("project_id", "=", project.id)
      .where("team_id", "=", teamId)
      .executeTakeFirst();
    if (result.numDeletedRows === 0n) throw notFound("The team has no access to this project.");
    const userIds = await readTeamUserIds(tx, teamId);
    await endLostWatches(tx, project.workspace_id, userIds);
    await announceLostAccess(tx, userIds);
    const { name } = await readTeam(tx, project.workspace_id, teamId);
    await recordAudit(tx, {
      kind: "project_team.removed",
      project_id: project.id,
      subject: { type: "team", id: teamId, name },
    });
  });
}
