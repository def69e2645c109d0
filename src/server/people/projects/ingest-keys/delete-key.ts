import type { Db } from "../../../db/connect.ts";
import { recordAudit } from "../../../record/audit.ts";
import { noSuchKey } from "./read-keys.ts";

/** 404 if it is not a key of this project. */
export async function deleteIngestKey(db: Db, projectId: number, keyId: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const key = await tx
      .deleteFrom("ingest_keys")
      .where("project_id", "=", projectId)
      .where("id", "=", keyId)
      .returning(["id", "name"])
      .executeTakeFirst();
    if (!key) throw noSuchKey();
    await recordAudit(tx, {
      kind: "ingest_key.deleted",
      project_id: projectId,
      subject: { type: "ingest_key", ...key },
    });
  });
}
