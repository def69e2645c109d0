import { sql } from "kysely";
import type { Db } from "../../db/connect.ts";

const BATCH = 5_000;

/**
 * Deletes what is older than 400 days, in batches; returns how many entries went. The brake of retention holds this,
 * too: unless its last run was done within a day, the clock is in doubt and nothing goes. (The database itself refuses
 * to delete anything younger.)
 */
export async function deleteOldAuditEvents(db: Db): Promise<number> {
  let deleted = 0;
  for (;;) {
    const count = await deleteBatch(db);
    deleted += count;
    if (count < BATCH) return deleted;
  }
}

function deleteBatch(db: Db): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await sql`set local signalbox.audit_retention = 'on'`.execute(tx);
    const result = await sql`
      delete from audit_events where id in (
        select id from audit_events where created_at < now() - interval '400 days' and (
          select outcome = 'done' and started_at between now() - interval '25 hours' and now()
          from retention_runs order by id desc limit 1)
        order by created_at limit ${BATCH}
      )`.execute(tx);
    return Number(result.numAffectedRows ?? 0n);
  });
}
