import { sql } from "kysely";
import type { Db, Tx } from "../db/connect.ts";
import { TransactionDb } from "../idempotency/transaction-db.ts";
import { lockProject } from "../people/projects/lock-project.ts";
import { MAX_RANK_LENGTH, rankAtEnd, renumber, type RankedList } from "../work/ranks/ranked-list.ts";

/**
 * The order of a project's reports. Hold the queue's lock while computing and writing a rank: otherwise two reports could
 * get the same rank, or the neighbors could change while a gap between them is looked up.
 */
export const queueOf = (projectId: number): RankedList => ({
  table: "reports",
  column: "project_id",
  id: projectId,
});

const lockKey = (projectId: number) => sql`hashtextextended('report queue ' || ${projectId}::text, 0)`;

/**
 * These end a transaction and begin the next one in the same query, so that a connection pooler assigns no other
 * connection in between, and locks of the session remain.
 */
const COMMIT_AND_READ = "commit; start transaction isolation level repeatable read, read only";
const ROLLBACK_AND_BEGIN = "rollback; start transaction";

/** Locks the queue until the transaction ends. */
export async function lockQueue(tx: Tx, projectId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey(projectId)})`.execute(tx);
}

/**
 * Runs `change` in a transaction under the queue's lock, then `read` in a snapshot of the resulting order. The lock is
 * released as soon as the snapshot is taken, so other changes do not wait for the read. If the request itself is a
 * transaction, the order changes when that commits, so the lock is held until then.
 */
export async function changeOrder<T>(
  db: Db,
  projectId: number,
  change: (tx: Tx) => Promise<void>,
  read: (snapshot: Db) => Promise<T>,
): Promise<T> {
  if (db instanceof TransactionDb)
    return db.transaction().execute(async (tx) => {
      await lockQueue(tx, projectId);
      await change(tx);
      return read(tx);
    });
  return db.transaction().execute(async (tx) => {
    // A session-level lock: it must outlive the first transaction and be released before the second one ends.
    const unlock = sql`select pg_advisory_unlock(${lockKey(projectId)})`;
    await sql`select pg_advisory_lock(${lockKey(projectId)})`.execute(tx);
    let locked = true;
    try {
      await change(tx);
      await sql.raw(COMMIT_AND_READ).execute(tx);
      // PostgreSQL takes the snapshot before it executes the first statement, the unlock.
      await unlock.execute(tx);
      locked = false;
      return await read(tx);
    } catch (error) {
      if (locked) {
        await sql.raw(ROLLBACK_AND_BEGIN).execute(tx);
        await unlock.execute(tx);
      }
      throw error;
    }
  });
}

/** A rank at the end of the queue. */
export async function endOfQueue(tx: Tx, projectId: number): Promise<string> {
  return rankAtEnd(tx, queueOf(projectId));
}

/** Renumbers every queue that contains a long rank. Returns the number of these queues. */
export async function renumberLongQueues(db: Db): Promise<number> {
  const { rows: queues } = await sql<{ project_id: number }>`
    select distinct r.project_id
    from reports r join projects p on p.id = r.project_id and p.deleted_at is null
    where length(r.rank) > ${sql.lit(MAX_RANK_LENGTH)}`.execute(db);
  for (const { project_id } of queues)
    await db.transaction().execute(async (tx) => {
      await lockProject(tx, project_id);
      await lockQueue(tx, project_id);
      await renumber(tx, queueOf(project_id));
    });
  return queues.length;
}
