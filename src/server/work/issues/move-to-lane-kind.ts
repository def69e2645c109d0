import { sql } from "kysely";
import type { LaneKind } from "../../../shared/lanes.ts";
import type { Tx } from "../../db/connect.ts";
import { notifyIssueChanges } from "../../inform/notify/issue-notifications.ts";
import { noteMoves } from "../../record/issue-events.ts";
import { recordHistory } from "../../record/issue-history.ts";
import { closedIn, issuesOfLane } from "../lanes/issues-of-lane.ts";
import { resolveGroupsOf } from "../lifecycle/follow-issues.ts";
import { ranksBehind } from "../ranks/rank.ts";
import { lastRank } from "../ranks/ranked-list.ts";
import { announceParents } from "./parents.ts";
import type { ProjectRef } from "./references.ts";

type Move = {
  issueIds: number[];
  from: readonly Exclude<LaneKind, "done">[];
  to: "doing" | "done";
  actorName: string;
};

/**
 * Moves those of the issues that are in a lane of the kinds `from` to the end of the first lane of the kind `to`, without an
 * actor. Does nothing if there is no such lane. The caller holds the project's lock.
 */
export async function moveToLaneKind(tx: Tx, project: ProjectRef, move: Move): Promise<void> {
  const lane = await tx
    .selectFrom("lanes")
    .select("id")
    .where("project_id", "=", project.id)
    .where("kind", "=", move.to)
    .orderBy("position")
    .limit(1)
    .executeTakeFirst();
  if (!lane || move.issueIds.length === 0) return;
  const { rows: issues } = await sql<{ id: number; lane_id: number; parent_id: number | null }>`
    select i.id, i.lane_id, i.parent_id from issues i join lanes l on l.id = i.lane_id
    where i.project_id = ${project.id} and i.id = any(${move.issueIds}::bigint[]) and l.kind = any(${[...move.from]}::text[])
    order by i.id for no key update of i`.execute(tx);
  if (issues.length === 0) return;
  const ids = issues.map(({ id }) => id);
  const ranks = ranksBehind(await lastRank(tx, issuesOfLane(lane.id)), ids.length);
  await sql`
    update issues i
    set lane_id = ${lane.id}, rank = m.rank, closed_at = ${closedIn(move.to)}, updated_at = clock_timestamp()
    from unnest(${ids}::bigint[], ${ranks}::text[]) as m (id, rank) where i.id = m.id`.execute(tx);
  await recordHistory(
    tx,
    null,
    issues.map(({ id, lane_id }) => ({ issue_id: id, kind: "lane_id", from: lane_id, to: lane.id })),
  );
  noteMoves(tx, ids, { wasClosed: false, isClosed: move.to === "done" });
  await announceParents(
    tx,
    project.id,
    issues.map(({ parent_id }) => parent_id),
  );
  if (move.to === "done") await resolveGroupsOf(tx, project, ids, null);
  for (const { id, lane_id } of issues)
    await notifyIssueChanges(
      tx,
      { project, issueId: id, actorId: null, actorName: move.actorName },
      { lane_id },
      { lane_id: lane.id },
    );
}
