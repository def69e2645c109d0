import { sql } from "kysely";
import type { z } from "zod";
import { type IngestKey, type ingestKeyBody, MAX_INGEST_KEYS } from "../../../../shared/ingest-keys.ts";
import { refused } from "../../../answers/errors.ts";
import type { Db } from "../../../db/connect.ts";
import { recordAudit } from "../../../record/audit.ts";
import { requireDailyAllowance } from "../../../record/require-daily-allowance.ts";
import { lockProject } from "../lock-project.ts";
import { COLUMNS, withDsn } from "./read-keys.ts";

/** 422 if the project has as many keys as it can have, or the person has created too many within a day. */
export async function createIngestKey(
  db: Db,
  publicUrl: string,
  { projectId, actorId, body }: { projectId: number; actorId: number; body: z.output<typeof ingestKeyBody> },
): Promise<IngestKey> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, projectId);
    const { count } = await tx
      .selectFrom("ingest_keys")
      .select(sql<number>`count(*)::int`.as("count"))
      .where("project_id", "=", projectId)
      .executeTakeFirstOrThrow();
    if (count >= MAX_INGEST_KEYS)
      throw refused(`A project can have at most ${MAX_INGEST_KEYS} ingest keys. Delete one first.`);
    await requireDailyAllowance(tx, actorId, "ingest_key.created", "ingest_key");
    const row = await tx
      .insertInto("ingest_keys")
      .values({
        project_id: projectId,
        created_by: actorId,
        name: body.name,
        active: body.active ?? true,
        allowed_origins: body.allowed_origins ?? [],
      })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    const { id, name, active, allowed_origins } = row;
    await recordAudit(tx, {
      kind: "ingest_key.created",
      project_id: projectId,
      subject: { type: "ingest_key", id, name },
      details: { active, allowed_origins },
    });
    return withDsn(publicUrl, row);
  });
}
