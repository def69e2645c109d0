import type { Db } from "../../../db/connect.ts";
import { recordAudit } from "../../../record/audit.ts";
import { noSuchToken } from "./read-tokens.ts";

export async function deleteProjectToken(db: Db, projectId: number, tokenId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const token = await tx
      .deleteFrom("project_tokens")
      .where("project_id", "=", projectId)
      .where("id", "=", tokenId)
      .returning(["id", "name"])
      .executeTakeFirst();
    if (!token) throw noSuchToken();
    await recordAudit(tx, {
      kind: "token.revoked",
      project_id: projectId,
      subject: { type: "project_token", ...token },
    });
  });
}
