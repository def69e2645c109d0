import type { z } from "zod";
import type { IngestKey, ingestKeyChanges } from "../../../../shared/ingest-keys.ts";
import type { Db } from "../../../db/connect.ts";
import { changedColumns } from "../../../db/patch-columns.ts";
import { recordAudit } from "../../../record/audit.ts";
import { lockProject } from "../lock-project.ts";
import { COLUMNS, noSuchKey, readIngestKey, withDsn } from "./read-keys.ts";

/** 404 if it is not a key of this project. */
export async function updateIngestKey(
  db: Db,
  publicUrl: string,
  { projectId, keyId, body }: { projectId: number; keyId: number; body: z.output<typeof ingestKeyChanges> },
): Promise<IngestKey> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    const before = await readIngestKey(tx, projectId, keyId);
    const { name, active, allowed_origins } = body;
    const changes = changedColumns(before, { name, active, allowed_origins });
    if (!changes) return withDsn(publicUrl, before);
    const row = await tx
      .updateTable("ingest_keys")
      .set(changes)
      .where("id", "=", keyId)
      .returning(COLUMNS)
      .executeTakeFirst();
    // Deleting a key does not wait for the project's lock.
    if (!row) throw noSuchKey();
    await recordAudit(tx, {
      kind: "ingest_key.changed",
      project_id: projectId,
      subject: { type: "ingest_key", id: row.id, name: row.name },
      details: changes,
    });
    return withDsn(publicUrl, row);
  });
}
