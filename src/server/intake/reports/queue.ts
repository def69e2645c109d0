import { sql } from "kysely";
import type { Db, Tx } from "../../db/connect.ts";
import { rankBetween, ranksBehind } from "../../work/ranks/rank.ts";

/**
 * The order of a project's reports. Whoever gives a rank holds the queue's lock: so no two reports get the same one,
 * and nobody's neighbours change while a place between them is looked for.
 */

/** Ranks longer than this are renumbered; two reports would have to be moved in turn a thousand times. */
const LONG = 200;

const key = (projectId: number) => sql`hashtextextended('report queue ' || ${projectId}::text, 0)`;

/** Until the transaction ends. */
export async function lockQueue(tx: Tx, projectId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${key(projectId)})`.execute(tx);
}

/**
 * Changes the order and answers how the project's reports stand then: `change` runs in a transaction under the lock,
 * `read` afterwards in a snapshot of that very moment, when others may go on already. `db` is a pool.
 */
export async function changeOrder<T>(
  db: Db,
  projectId: number,
  change: (tx: Tx) => Promise<void>,
  read: (snapshot: Db) => Promise<T>,
): Promise<T> {
  return db.connection().execute(async (connection) => {
    // The session's, since it has to outlive the first transaction and end before the second.
    const unlock = sql`select pg_advisory_unlock(${key(projectId)})`;
    await sql`select pg_advisory_lock(${key(projectId)})`.execute(connection);
    let locked = true;
    try {
      await connection.transaction().execute(change);
      return await connection
        .transaction()
        .setIsolationLevel("repeatable read")
        .setAccessMode("read only")
        .execute(async (snapshot) => {
          // The first statement takes the snapshot, before it lets the lock go.
          await unlock.execute(snapshot);
          locked = false;
          return read(snapshot);
        });
    } finally {
      if (locked) await unlock.execute(connection);
    }
  });
}

/** The rank next to `rank` in the direction, leaving one report out; at `null` the first or the last of all. */
export async function neighbour(
  tx: Tx,
  projectId: number,
  rank: string | null,
  direction: "above" | "below",
  without: number | null,
): Promise<string | null> {
  const down = rank === null ? direction === "above" : direction === "below";
  const [order, beyond] = down ? [sql`asc`, [sql`>=`, sql`>`]] : [sql`desc`, [sql`<=`, sql`<`]];
  // The index has the beginning of the ranks; the few that share theirs are compared whole.
  const where =
    rank === null
      ? sql``
      : sql`and left(rank, 64) ${beyond[0]} left(${rank}, 64) and rank ${beyond[1]} ${rank}`;
  const { rows } = await sql<{ rank: string }>`
    select rank from reports where project_id = ${projectId} and id is distinct from ${without} ${where}
    order by left(rank, 64) ${order}, rank ${order} limit 1`.execute(tx);
  return rows[0]?.rank ?? null;
}

/** A rank at the end of the queue. */
export async function endOfQueue(tx: Tx, projectId: number): Promise<string> {
  return rankBetween(await neighbour(tx, projectId, null, "below", null), null);
}

/**
 * Gives every report of a queue in which some rank has grown long a short one, in the same order, and returns how many
 * queues that were. A move changes the moved report's rank only (service.md 3.1), so what repeated moves to one place
 * add to it can only be taken back apart from them; `updated_at` stays, since nothing happened to the reports. The new
 * ranks lie behind all old ones: no rank ever means another place than the one it was given for.
 */
export async function renumberLongQueues(db: Db): Promise<number> {
  const { rows: queues } = await sql<{ project_id: number }>`
    select distinct project_id from reports where length(rank) > ${sql.lit(LONG)}`.execute(db);
  for (const { project_id } of queues) await db.transaction().execute((tx) => renumber(tx, project_id));
  return queues.length;
}

async function renumber(tx: Tx, projectId: number): Promise<void> {
  await lockQueue(tx, projectId);
  const { rows } = await sql<{ id: number }>`
    select id from reports where project_id = ${projectId} order by rank, id`.execute(tx);
  const ranks = ranksBehind(await neighbour(tx, projectId, null, "below", null), rows.length);
  await sql`update reports r set rank = fresh.rank
    from unnest(${rows.map((row) => row.id)}::bigint[], ${ranks}::text[]) as fresh (id, rank)
    where r.id = fresh.id`.execute(tx);
}
