import { sql } from "kysely";
import type { Db, Tx } from "../../db/connect.ts";
import { lastRank } from "../lanes/issues-of-lane.ts";
import { lockProject } from "../../people/projects/projects.ts";
import { ranksBehind } from "../ranks/rank.ts";

/** Ranks longer than this are renumbered: it takes a thousand moves to the same place to get one. */
const LONG = 200;

/**
 * Gives the issues of every lane in which a rank has grown long short ones, in the same order, and returns how many
 * lanes that were. A move changes the moved issue's rank alone, so what moves to the same place add to it is taken back
 * apart from them; `updated_at` stays, since nothing happened to the issues. The new ranks lie behind the old ones, so
 * that none is there twice while they are written.
 */
export async function renumberLongLanes(db: Db): Promise<number> {
  const { rows: lanes } = await sql<{ project_id: number; lane_id: number }>`
    select distinct project_id, lane_id from issues where length(rank) > ${sql.lit(LONG)}`.execute(db);
  for (const lane of lanes)
    await db.transaction().execute(async (tx) => {
      await lockProject(tx, lane.project_id);
      await renumber(tx, lane.lane_id);
    });
  return lanes.length;
}

async function renumber(tx: Tx, laneId: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from issues where lane_id = ${laneId} order by rank`.execute(tx);
  const ranks = ranksBehind(await lastRank(tx, laneId), rows.length);
  await sql`update issues i set rank = fresh.rank
    from unnest(${rows.map((row) => row.id)}::bigint[], ${ranks}::text[]) as fresh (id, rank)
    where i.id = fresh.id`.execute(tx);
}
