import type { Tx } from "../../db/connect.ts";
import { issuesOfLane } from "../lanes/issues-of-lane.ts";
import { rankAtEnd } from "../ranks/ranked-list.ts";

export type LaneRef = { id: number; kind: string };

/** The lane with this id, which the caller has checked to be the project's, or the first lane. */
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

/** A rank after every issue of the lane. Hold the project's lock until it is written. */
export async function endOfLane(tx: Tx, laneId: number): Promise<string> {
  return rankAtEnd(tx, issuesOfLane(laneId));
}
