import { sql, type RawBuilder } from "kysely";
import type { Tx } from "../../db/connect.ts";
import { lastRank } from "../lanes/issues-of-lane.ts";
import { rankBetween } from "../ranks/rank.ts";

/** Where issues stand in a lane. Whoever gives a rank holds the project's lock. */

export type LaneRef = { id: number; kind: string };

/** The named lane, which has been checked to be the project's, or the first. */
export async function laneFor(tx: Tx, projectId: number, laneId: number | undefined): Promise<LaneRef> {
  return tx
    .selectFrom("lanes")
    .select(["id", "kind"])
    .where("project_id", "=", projectId)
    .$if(laneId !== undefined, (query) => query.where("id", "=", laneId as number))
    .orderBy("position")
    .limit(1)
    .executeTakeFirstOrThrow();
}

/** A rank behind every issue of the lane. */
export async function endOfLane(tx: Tx, laneId: number): Promise<string> {
  return rankBetween(await lastRank(tx, laneId), null);
}

/** Two ranks with none between them; null is an end of the lane. */
export type Gap = { low: string | null; high: string | null };

/** The gaps of a lane as if the issue, which is about to stand in one of them, were not there. */
export async function gapAtTop(tx: Tx, laneId: number, issueId: number): Promise<Gap> {
  return { low: null, high: await firstOf(tx, others(laneId, issueId)) };
}

export async function gapBelow(tx: Tx, laneId: number, issueId: number, rank: string): Promise<Gap> {
  const behind = sql`left(rank, 64) >= left(${rank}, 64) and rank > ${rank}`;
  return { low: rank, high: await firstOf(tx, sql`${others(laneId, issueId)} and ${behind}`) };
}

export async function gapAbove(tx: Tx, laneId: number, issueId: number, rank: string): Promise<Gap> {
  const before = sql`left(rank, 64) <= left(${rank}, 64) and rank < ${rank}`;
  return { low: await lastOf(tx, sql`${others(laneId, issueId)} and ${before}`), high: rank };
}

const others = (laneId: number, issueId: number) => sql`lane_id = ${laneId} and id <> ${issueId}`;

/** The index has the beginning of each rank: a whole one may be longer than an index takes. */
const firstOf = (tx: Tx, which: RawBuilder<unknown>) => one(tx, which, sql`left(rank, 64), rank`);
const lastOf = (tx: Tx, which: RawBuilder<unknown>) => one(tx, which, sql`left(rank, 64) desc, rank desc`);

async function one(tx: Tx, which: RawBuilder<unknown>, order: RawBuilder<unknown>): Promise<string | null> {
  const { rows } = await sql<{ rank: string }>`
    select rank from issues where ${which} order by ${order} limit 1`.execute(tx);
  return rows[0]?.rank ?? null;
}
