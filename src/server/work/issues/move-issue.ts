import { sql } from "kysely";
import type { z } from "zod";
import type { Issue, issueMove } from "../../../shared/issues.ts";
import { noteMoves } from "../../record/issue-events.ts";
import { recordHistory } from "../../record/issue-history.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { invalid, notFound } from "../../answers/errors.ts";
import { closedIn, issuesOfLane } from "../lanes/issues-of-lane.ts";
import { followIssue } from "../lifecycle/follow-issues.ts";
import { notifyIssueChanges } from "../../inform/notify/issue-notifications.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { rankBetween } from "../ranks/rank.ts";
import { findGap, isInGap } from "../ranks/ranked-list.ts";
import { laneFor } from "./lane-order.ts";
import { announceParents } from "./parents.ts";
import { requireReferences, type ProjectRef } from "./references.ts";
import { noSuchIssue, readIssue } from "./read-issue.ts";

type Move = z.output<typeof issueMove>;
type Position = {
  id: number;
  lane_id: number;
  rank: string;
  parent_id: number | null;
  closed_at: string | null;
};

/**
 * Moves an issue within a lane, by default its own, and changes only this issue's rank. The issue goes directly below
 * `rank_before_id`, else directly above `rank_after_id`, else to the top. 404 if a neighbor is not in the project; 422 on
 * `lane_id` if the lane is not, and on a neighbor that is in another lane, is the issue itself, or is on the wrong side
 * of the other neighbor.
 */
export async function moveIssue(
  db: Db,
  project: ProjectRef,
  { issueId, actorId, move }: { issueId: number; actorId: number; move: Move },
): Promise<Issue> {
  return db.transaction().execute(async (tx) => {
    await lockProject(tx, project.id);
    const positions = await readPositions(tx, project.id, [issueId, move.rank_before_id, move.rank_after_id]);
    const issue = positions.get(issueId);
    if (!issue) throw noSuchIssue();
    const above = neighbor(positions, move, "rank_before_id");
    const below = neighbor(positions, move, "rank_after_id");
    await requireReferences(tx, project, { lane_id: move.lane_id });
    const lane = await laneFor(tx, project.id, move.lane_id ?? issue.lane_id);
    requireSides(issue, lane.id, above, below);
    const rank = await rankFor(tx, issue, { laneId: lane.id, above, below });
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
    const closing = { wasClosed: issue.closed_at !== null, isClosed: lane.kind === "done" };
    if (lane.id !== issue.lane_id) {
      await announceParents(tx, project.id, [issue.parent_id]);
      noteMoves(tx, [issueId], closing);
    }
    await followIssue(tx, project, { issueId, actorId, ...closing });
    await notifyIssueChanges(tx, { project, issueId, actorId }, issue, { lane_id: lane.id });
    return readIssue(tx, project.id, issueId, actorId);
  });
}

async function readPositions(
  tx: Tx,
  projectId: number,
  ids: (number | undefined)[],
): Promise<Map<number, Position>> {
  const rows = await tx
    .selectFrom("issues")
    .select(["id", "lane_id", "rank", "parent_id", "closed_at"])
    .where("project_id", "=", projectId)
    .where(
      "id",
      "in",
      ids.filter((id) => id !== undefined),
    )
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

function neighbor(
  positions: Map<number, Position>,
  move: Move,
  field: "rank_before_id" | "rank_after_id",
): Position | undefined {
  const id = move[field];
  if (id === undefined) return undefined;
  const found = positions.get(id);
  if (!found) throw notFound(`${field} is not an issue of the project.`);
  return found;
}

function requireSides(
  issue: Position,
  laneId: number,
  above: Position | undefined,
  below: Position | undefined,
) {
  for (const [field, side] of [
    ["rank_before_id", above],
    ["rank_after_id", below],
  ] as const) {
    if (side?.id === issue.id) throw invalid({ [field]: ["must not be the issue itself"] });
    if (side && side.lane_id !== laneId) throw invalid({ [field]: ["is not in the lane"] });
  }
  if (above && below && below.rank <= above.rank)
    throw invalid({ rank_after_id: ["must be below the issue named by rank_before_id"] });
}

/** An issue that is already in the gap keeps its rank, so that ranks do not grow needlessly. */
async function rankFor(
  tx: Tx,
  issue: Position,
  { laneId, above, below }: { laneId: number; above: Position | undefined; below: Position | undefined },
): Promise<string> {
  const gap = await findGap(tx, issuesOfLane(laneId), issue.id, { above: above?.rank, below: below?.rank });
  const staysPut = issue.lane_id === laneId && isInGap(issue.rank, gap);
  return staysPut ? issue.rank : rankBetween(gap.low, gap.high);
}
