import { sql } from "kysely";
import type { z } from "zod";
import type { Issue, issueMove } from "../../../shared/issues.ts";
import { recordHistory } from "../../record/issue-history.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { invalid, notFound } from "../../answers/errors.ts";
import { closedIn, issuesOfLane } from "../lanes/issues-of-lane.ts";
import { notifyIssueChanges } from "../../inform/notify/issue-notifications.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { rankBetween } from "../ranks/rank.ts";
import { findGap, isInGap } from "../ranks/ranked-list.ts";
import { laneFor } from "./lane-order.ts";
import { requireReferences, type ProjectRef } from "./references.ts";
import { noSuchIssue, readIssue } from "./read-issue.ts";

type Move = z.output<typeof issueMove>;
type Placed = { id: number; lane_id: number; rank: string };

/**
 * Puts an issue beside its neighbours in a lane, by default its own; only this issue's rank changes (platform.md,
 * move). `rank_before_id` is to stand directly above it and outweighs `rank_after_id`, which is to stand below; with
 * neither it comes to the top. 404 when a neighbour is not in the project; 422 on `lane_id` when the lane is not, and on
 * a neighbour that stands in another lane, is the issue itself, or stands on the wrong side of the other.
 */
export async function moveIssue(
  db: Db,
  project: ProjectRef,
  issueId: number,
  actorId: number,
  move: Move,
): Promise<Issue> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, project.id);
    const placed = await placesOf(tx, project.id, [issueId, move.rank_before_id, move.rank_after_id]);
    const issue = placed.get(issueId);
    if (!issue) throw noSuchIssue();
    const above = neighbour(placed, move.rank_before_id);
    const below = neighbour(placed, move.rank_after_id);
    await requireReferences(tx, project, { lane_id: move.lane_id });
    const lane = await laneFor(tx, project.id, move.lane_id ?? issue.lane_id);
    requireSides(issue, lane.id, above, below);
    const rank = await rankFor(tx, issue, lane.id, above, below);
    if (rank !== issue.rank || lane.id !== issue.lane_id)
      await tx
        .updateTable("issues")
        .set({ lane_id: lane.id, rank, closed_at: closedIn(lane.kind), updated_at: sql`clock_timestamp()` })
        .where("id", "=", issueId)
        .execute();
    if (lane.id !== issue.lane_id)
      await recordHistory(tx, actorId, [
        { issue_id: issueId, kind: "lane_id", from: issue.lane_id, to: lane.id },
      ]);
    await notifyIssueChanges(tx, { project, issueId, actorId }, issue, { lane_id: lane.id });
    return readIssue(tx, project.id, issueId, actorId);
  });
}

async function placesOf(
  tx: Tx,
  projectId: number,
  ids: (number | undefined)[],
): Promise<Map<number, Placed>> {
  const rows = await tx
    .selectFrom("issues")
    .select(["id", "lane_id", "rank"])
    .where("project_id", "=", projectId)
    .where(
      "id",
      "in",
      ids.filter((id) => id !== undefined),
    )
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

function neighbour(placed: Map<number, Placed>, id: number | undefined): Placed | undefined {
  if (id === undefined) return undefined;
  const found = placed.get(id);
  if (!found) throw notFound("There is no such neighbour.");
  return found;
}

function requireSides(issue: Placed, laneId: number, above: Placed | undefined, below: Placed | undefined) {
  for (const [field, side] of [
    ["rank_before_id", above],
    ["rank_after_id", below],
  ] as const) {
    if (side?.id === issue.id) throw invalid({ [field]: ["must not be the issue itself"] });
    if (side && side.lane_id !== laneId) throw invalid({ [field]: ["does not stand in the lane"] });
  }
  if (above && below && below.rank <= above.rank)
    throw invalid({ rank_after_id: ["does not stand below rank_before_id"] });
}

/** An issue that is already in the gap keeps its rank, so that ranks do not grow needlessly. */
async function rankFor(
  tx: Tx,
  issue: Placed,
  laneId: number,
  above: Placed | undefined,
  below: Placed | undefined,
): Promise<string> {
  const gap = await findGap(tx, issuesOfLane(laneId), issue.id, { above: above?.rank, below: below?.rank });
  const staysPut = issue.lane_id === laneId && isInGap(issue.rank, gap);
  return staysPut ? issue.rank : rankBetween(gap.low, gap.high);
}
