import type { z } from "zod";
import type { ProjectToken, projectTokenChanges } from "../../../../shared/project-tokens.ts";
import type { Db } from "../../../db/connect.ts";
import { sentColumns } from "../../../db/patch-columns.ts";
import { recordAudit } from "../../../record/audit.ts";
import { SHOWN, noSuchToken, readProjectToken } from "./read-tokens.ts";

export async function updateProjectToken(
  db: Db,
  projectId: number,
  tokenId: number,
  body: z.output<typeof projectTokenChanges>,
): Promise<ProjectToken> {
  const changes = sentColumns({
    name: body.name,
    access: body.access,
    active: body.active,
    expires_at: body.expires_at,
  });
  if (!changes) return readProjectToken(db, projectId, tokenId);
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable("project_tokens")
      .set(changes)
      .where("project_id", "=", projectId)
      .where("id", "=", tokenId)
      .returning(SHOWN)
      .executeTakeFirst();
    if (!row) throw noSuchToken();
    await recordAudit(tx, {
      kind: "token.changed",
      project_id: projectId,
      subject: { type: "project_token", id: row.id, name: row.name },
      details: changes,
    });
    return row as ProjectToken;
  });
}
