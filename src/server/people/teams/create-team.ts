import type { z } from "zod";
import type { Team, teamBody } from "../../../shared/teams.ts";
import type { Db } from "../../db/connect.ts";
import { requireFreeName } from "../../db/require-free-name.ts";
import { recordAudit } from "../../record/audit.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { readTeam } from "./read-teams.ts";

/** 422 on `name` if another team of the workspace has it, ignoring case. */
export async function createTeam(
  db: Db,
  workspaceId: number,
  body: z.output<typeof teamBody>,
): Promise<Team> {
  return db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await requireFreeName(tx, { table: "teams", workspace_id: workspaceId }, body.name);
    const { id } = await tx
      .insertInto("teams")
      .values({ workspace_id: workspaceId, name: body.name })
      .returning("id")
      .executeTakeFirstOrThrow();
    await recordAudit(tx, {
      kind: "team.created",
      workspace_id: workspaceId,
      subject: { type: "team", id, name: body.name },
    });
    return readTeam(tx, workspaceId, id);
  });
}
