import type { Tx } from "../../db/connect.ts";
import { issuesOfLane } from "../lanes/issues-of-lane.ts";
import { rankAtEnd } from "../ranks/ranked-list.ts";

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
  return rankAtEnd(tx, issuesOfLane(laneId));
}
