import { sql, type RawBuilder } from "kysely";
import type { LaneKind } from "../../../shared/lanes.ts";
import type { Tx } from "../../db/connect.ts";
import type { ProjectRef } from "../../access/access-queries.ts";
import { invalid } from "../../answers/errors.ts";
import { noteMoves } from "../../record/issue-events.ts";
import { reopenGroupsOf, resolveGroupsOf } from "../lifecycle/follow-issues.ts";
import { ranksBehind } from "../ranks/rank.ts";
import { lastRank, type RankedList } from "../ranks/ranked-list.ts";

/** The order of the lane's issues. Hold the project's lock while computing and writing a rank. */
export const issuesOfLane = (laneId: number): RankedList => ({
  table: "issues",
  column: "lane_id",
  id: laneId,
});

/** The new `closed_at` of an issue that moves to a lane of this kind. Moving between two done lanes keeps it. */
export function closedIn(kind: string): RawBuilder<string | null> {
  return kind === "done" ? sql`coalesce(closed_at, clock_timestamp())` : sql`null`;
}

/** Closes or reopens the lane's issues after its kind changed. The caller holds the project's lock. */
export async function applyLaneKind(
  tx: Tx,
  project: ProjectRef,
  { laneId, kind, actorId }: { laneId: number; kind: LaneKind; actorId: number },
): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update issues set closed_at = ${closedIn(kind)}, updated_at = clock_timestamp()
    where lane_id = ${laneId} and (closed_at is null) = ${kind === "done"}
    returning id`.execute(tx);
  const ids = rows.map((row) => row.id);
  noteMoves(tx, ids, { wasClosed: kind !== "done", isClosed: kind === "done" });
  await (kind === "done" ? resolveGroupsOf : reopenGroupsOf)(tx, project, ids, actorId);
}

type LaneRef = { id: number; kind: LaneKind };

/**
 * Moves all issues to the end of the lane `to`, in their current order. 422 on `move_to` if there are issues but no lane
 * `to`. The caller holds the project's lock.
 */
export async function emptyLane(
  tx: Tx,
  project: ProjectRef,
  { lane, actorId, to }: { lane: LaneRef; actorId: number; to: LaneRef | undefined },
): Promise<void> {
  const ids = await issuesIn(tx, lane.id);
  if (ids.length === 0) return;
  if (to === undefined) throw invalid({ move_to: ["is required: the lane has issues"] });
  const ranks = ranksBehind(await lastRank(tx, issuesOfLane(to.id)), ids.length);
  // Moving tens of thousands of issues exceeds the statement timeout of requests.
  await sql`set local statement_timeout = '2min'`.execute(tx);
  await sql`
    with moved as (
      update issues i
      set lane_id = ${to.id}, rank = m.rank, closed_at = ${closedIn(to.kind)}, updated_at = clock_timestamp()
      from unnest(${ids}::bigint[], ${ranks}::text[]) as m (id, rank) where i.id = m.id
      returning i.id
    )
    insert into issue_activity (issue_id, actor_id, kind, "from", "to")
    select id, ${actorId}, 'lane_id', to_jsonb(${lane.id}::bigint), to_jsonb(${to.id}::bigint)
    from moved order by id`.execute(tx);
  noteMoves(tx, ids, { wasClosed: lane.kind === "done", isClosed: to.kind === "done" });
  if (lane.kind === "done" && to.kind !== "done") await reopenGroupsOf(tx, project, ids, actorId);
  if (lane.kind !== "done" && to.kind === "done") await resolveGroupsOf(tx, project, ids, actorId);
}

async function issuesIn(tx: Tx, laneId: number): Promise<number[]> {
  const rows = await tx
    .selectFrom("issues")
    .select("id")
    .where("lane_id", "=", laneId)
    .orderBy("rank")
    .execute();
  return rows.map((row) => row.id);
}
