import { sql, type RawBuilder } from "kysely";
import { MAX_HEALTH_DAYS } from "../../../../shared/release-health.ts";
import type { Db } from "../../../db/connect.ts";
import { BATCH_ROWS, batchOf, deleteInBatches } from "../../../db/delete-in-batches.ts";

/** A failed session counts once if its updates are at most this far apart. */
const FAILED_DAYS = 5;

/** Users are told apart until this many days after the day of their sessions. */
const USER_DAYS = 7;

/** Counts of users without a day, each with up to 20,000 users. */
const BATCH_COUNTS = 20;

/** Deletes sessions that are no longer kept, and what tells apart the sessions and users of past days. */
export async function deleteOldSessions(db: Db, signal?: AbortSignal): Promise<void> {
  const deleteAll = async (table: string, condition: RawBuilder<unknown>) => {
    const rows = sql.table(table);
    const batch = sql`
      delete from ${rows} where ctid = any(array(
        select ctid from ${rows} where ${condition} limit ${sql.lit(BATCH_ROWS)}))`;
    await deleteInBatches(async () => batchOf(await batch.execute(db)), signal);
  };
  const ago = (days: number) => sql`now() - make_interval(days => ${sql.lit(days)})`;
  await deleteAll("release_sessions", sql`hour < ${ago(MAX_HEALTH_DAYS)}`);
  await deleteAll("failed_sessions", sql`changed_at < ${ago(FAILED_DAYS)}`);
  await sql`update release_user_counts set is_closed = true where day < ${ago(USER_DAYS)} and not is_closed`.execute(
    db,
  );
  await deleteAll("release_users", sql`count_id in (select id from release_user_counts where is_closed)`);
  await deleteAll("release_user_counts", sql`day < ${ago(MAX_HEALTH_DAYS)}`);
  await deleteInBatches(async () => {
    const { numAffectedRows = 0n } = await sql`
      delete from release_user_counts where id in (
        select k.id from release_user_counts k
        where k.day is null and not exists (
          select from release_sessions s where s.release_id = k.release_id and s.environment = k.environment)
        limit ${sql.lit(BATCH_COUNTS)})`.execute(db);
    return { deleted: Number(numAffectedRows), isLast: numAffectedRows < BATCH_COUNTS };
  }, signal);
}
