import type { z } from "zod";
import type { ProjectToken, projectTokenChanges } from "../../../../shared/project-tokens.ts";
import { type Access, holdsAll, readProjectAccess } from "../../../access/project-access.ts";
import { forbidden } from "../../../answers/errors.ts";
import type { Db } from "../../../db/connect.ts";
import { sentColumns } from "../../../db/patch-columns.ts";
import { recordAudit } from "../../../record/audit.ts";
import { SHOWN, noSuchToken, readProjectToken } from "./read-tokens.ts";

/**
 * A token acts with its creator's permissions. 403 if the caller holds fewer: by extending a token whose secret they know, they
 * could give themselves the creator's permissions.
 */
export async function updateProjectToken(
  db: Db,
  projectId: number,
  { access, tokenId, body }: { access: Access; tokenId: number; body: z.output<typeof projectTokenChanges> },
): Promise<ProjectToken> {
  const changes = sentColumns({
    name: body.name,
    access: body.access,
    active: body.active,
    expires_at: body.expires_at,
  });
  if (!changes) return readProjectToken(db, projectId, tokenId);
  return db.transaction().execute(async (tx) => {
    const token = await readProjectToken(tx, projectId, tokenId);
    const creator = await readProjectAccess(tx, String(projectId), token.created_by);
    if (!creator?.access)
      throw forbidden("The creator of the token has lost access. Revoke the token instead.");
    if (!holdsAll(access, creator.access))
      throw forbidden("The creator of the token has permissions that you lack. You can only revoke it.");
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
