import type { z } from "zod";
import type { Team, teamChanges } from "../../../shared/teams.ts";
import type { Db } from "../../db/connect.ts";
import { requireFreeName } from "../../db/require-free-name.ts";
import { changedColumns } from "../../db/patch-columns.ts";
import { recordAudit } from "../../record/audit.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { readTeam } from "./read-teams.ts";

/** 404 if there is no such team, 422 on `name` if another team has it. */
export async function updateTeam(
  db: Db,
  workspaceId: number,
  teamId: number,
  body: z.output<typeof teamChanges>,
): Promise<Team> {
  return db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const before = await readTeam(tx, workspaceId, teamId);
    const changes = changedColumns(before, { name: body.name });
    if (changes?.name === undefined) return before;
    await requireFreeName(tx, { table: "teams", workspace_id: workspaceId }, changes.name, teamId);
    await tx.updateTable("teams").set(changes).where("id", "=", teamId).execute();
    await recordAudit(tx, {
      kind: "team.changed",
      workspace_id: workspaceId,
      subject: { type: "team", id: teamId, name: changes.name },
      details: { name_before: before.name },
    });
    return { ...before, name: changes.name };
  });
}
