import { sql, type RawBuilder } from "kysely";
import type { Tx } from "../../db/connect.ts";
import { rankBetween, ranksBehind } from "./rank.ts";

/**
 * The rows that share one order: the reports of a project, or the issues of a lane. Callers hold the list's lock while
 * they compute and write a rank; otherwise two rows could get the same one.
 *
 * The index of each list covers the first 64 characters of the ranks, because a whole rank can exceed the maximum size
 * of an index entry. Queries therefore compare and sort by `left(rank, 64)` first.
 */
export type RankedList = {
  table: "reports" | "issues";
  column: "project_id" | "lane_id";
  id: number;
};

/** Two ranks with no row between them. Null stands for the beginning and for the end of the list. */
export type Gap = { low: string | null; high: string | null };

/** A rank behind every row of the list. */
export async function rankAtEnd(tx: Tx, list: RankedList): Promise<string> {
  return rankBetween(await lastRank(tx, list), null);
}

export async function lastRank(tx: Tx, list: RankedList): Promise<string | null> {
  return findRank(tx, list, rowsOf(list), DESCENDING);
}

/**
 * The gap for a row that moves: directly below the rank `above`, else directly above the rank `below`, else at the top.
 * The moving row itself is left out, whether or not it is in the list already.
 */
export async function findGap(
  tx: Tx,
  list: RankedList,
  movingId: number,
  { above, below }: { above: string | undefined; below: string | undefined },
): Promise<Gap> {
  const others = sql`${rowsOf(list)} and id <> ${movingId}`;
  if (above !== undefined) {
    const isBelow = sql`left(rank, 64) >= left(${above}, 64) and rank > ${above}`;
    return { low: above, high: await findRank(tx, list, sql`${others} and ${isBelow}`, ASCENDING) };
  }
  if (below !== undefined) {
    const isAbove = sql`left(rank, 64) <= left(${below}, 64) and rank < ${below}`;
    return { low: await findRank(tx, list, sql`${others} and ${isAbove}`, DESCENDING), high: below };
  }
  return { low: null, high: await findRank(tx, list, others, ASCENDING) };
}

export function isInGap(rank: string, { low, high }: Gap): boolean {
  return (low === null || low < rank) && (high === null || rank < high);
}

/** Renumber lists with a rank above this length. Reaching it takes about a thousand moves to the same position. */
export const MAX_RANK_LENGTH = 200;

/**
 * Gives every row of the list a short rank and keeps the order. A move changes the rank of the moved row only, so ranks
 * can only be shortened separately from moves. `updated_at` stays as it is: the rows themselves have not changed.
 * The new ranks lie behind all old ones, so that no two rows share a rank while they are written.
 */
export async function renumber(tx: Tx, list: RankedList): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(list.table)} where ${rowsOf(list)} order by rank, id`.execute(tx);
  const ranks = ranksBehind(await lastRank(tx, list), rows.length);
  await sql`
    update ${sql.table(list.table)} r set rank = renumbered.rank
    from unnest(${rows.map((row) => row.id)}::bigint[], ${ranks}::text[]) as renumbered (id, rank)
    where r.id = renumbered.id`.execute(tx);
}

const ASCENDING = sql`left(rank, 64), rank`;
const DESCENDING = sql`left(rank, 64) desc, rank desc`;

const rowsOf = ({ column, id }: RankedList) => sql`${sql.ref(column)} = ${id}`;

async function findRank(
  tx: Tx,
  list: RankedList,
  rows: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
): Promise<string | null> {
  const found = await sql<{ rank: string }>`
    select rank from ${sql.table(list.table)} where ${rows} order by ${order} limit 1`.execute(tx);
  return found.rows[0]?.rank ?? null;
}
