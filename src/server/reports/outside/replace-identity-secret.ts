import { randomBytes } from "node:crypto";
import type { Db } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";

/** Returns the project's new identity secret. Signatures with the previous one are no longer accepted. */
export async function replaceIdentitySecret(db: Db, projectId: number): Promise<{ secret: string }> {
  const secret = randomBytes(32).toString("hex");
  await db.transaction().execute(async (tx) => {
    const { name } = await tx
      .updateTable("projects")
      .set({ identity_secret: secret })
      .where("id", "=", projectId)
      .returning("name")
      .executeTakeFirstOrThrow();
    await recordAudit(tx, {
      kind: "project.identity_secret_replaced",
      project_id: projectId,
      subject: { type: "project", id: projectId, name },
    });
  });
  return { secret };
}
