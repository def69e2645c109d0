import { sql } from "kysely";
import type { z } from "zod";
import type { Lane, laneBody, laneChanges } from "../../../shared/lanes.ts";
import { recordAudit } from "../../record/audit.ts";
import type { ProjectRef } from "../../access/access-queries.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { sentColumns } from "../../db/patch-columns.ts";
import { invalid, notFound, refused } from "../../answers/errors.ts";
import type { Page } from "../../../shared/answers.ts";
import { afterId, idCursor, pageOf, type PageQuery } from "../../answers/page.ts";
import { lockProject } from "../../people/projects/lock-project.ts";
import { applyLaneKind, emptyLane } from "./issues-of-lane.ts";

/** Positions of a project's lanes are 0 to n - 1. Changing them requires the project's lock. */

const SHOWN = ["id", "project_id", "name", "kind", "position", "wip_limit", "created_at"] as const;

/** From left to right. The cursor is the position of the next page's first lane. */
export async function listLanes(db: Db, projectId: number, query: PageQuery): Promise<Page<Lane>> {
  const rows = await db
    .selectFrom("lanes")
    .select(SHOWN)
    .where("project_id", "=", projectId)
    // A cursor may be any integer; the column is a smallint.
    .where(sql<boolean>`position >= ${afterId(query)}::bigint`)
    .orderBy("position")
    .limit(query.limit + 1)
    .execute();
  return pageOf(rows as Lane[], query, (last) => idCursor(last.position + 1));
}

/** 404 if the project has no such lane. */
export async function readLane(db: Db, projectId: number, laneId: number): Promise<Lane> {
  const row = await db
    .selectFrom("lanes")
    .select(SHOWN)
    .where("project_id", "=", projectId)
    .where("id", "=", laneId)
    .executeTakeFirst();
  if (!row) throw noSuchLane();
  return row as Lane;
}

/** Inserts a lane at its position, by default at the end. 422 on `position` if it is beyond the end. */
export async function createLane(db: Db, projectId: number, body: z.output<typeof laneBody>): Promise<Lane> {
  return db.transaction().execute(async (tx) => {
    const count = await lockLanes(tx, projectId);
    const position = body.position ?? count;
    requireWithin(position, count);
    await tx
      .updateTable("lanes")
      .set({ position: sql`position + 1` })
      .where("project_id", "=", projectId)
      .where("position", ">=", position)
      .execute();
    const row = await tx
      .insertInto("lanes")
      .values({
        project_id: projectId,
        name: body.name,
        kind: body.kind,
        position,
        wip_limit: body.wip_limit ?? null,
      })
      .returning(SHOWN)
      .executeTakeFirstOrThrow();
    return row as Lane;
  });
}

/**
 * Changes the given fields. A new position shifts the lanes between, and a new kind closes or reopens the lane's issues.
 * 422 on `position` if it is beyond the end.
 */
export async function updateLane(
  db: Db,
  project: ProjectRef,
  { laneId, actorId, body }: { laneId: number; actorId: number; body: z.output<typeof laneChanges> },
): Promise<Lane> {
  const projectId = project.id;
  return db.transaction().execute(async (tx) => {
    const count = await lockLanes(tx, projectId);
    const before = await readLane(tx, projectId, laneId);
    const position = body.position ?? before.position;
    requireWithin(position, count - 1);
    if (position !== before.position) await moveLane(tx, before, position);
    const changes = sentColumns({ name: body.name, kind: body.kind, wip_limit: body.wip_limit });
    if (changes) await tx.updateTable("lanes").set(changes).where("id", "=", laneId).execute();
    if (body.kind !== undefined && body.kind !== before.kind)
      await applyLaneKind(tx, project, { laneId, kind: body.kind, actorId });
    return readLane(tx, projectId, laneId);
  });
}

/**
 * Deletes a lane and moves its issues to the end of the lane `moveTo`, in their current order. 422 if it is the project's
 * only lane, and on `move_to` if it is missing although the lane has issues, or is not another lane of the project.
 */
export async function deleteLane(
  db: Db,
  project: ProjectRef,
  { laneId, actorId, moveTo }: { laneId: number; actorId: number; moveTo: number | undefined },
): Promise<void> {
  const projectId = project.id;
  await db.transaction().execute(async (tx) => {
    const count = await lockLanes(tx, projectId);
    const lane = await readLane(tx, projectId, laneId);
    if (count === 1) throw refused("A project keeps at least one lane.");
    await emptyLane(tx, project, { lane, actorId, to: await findDestination(tx, lane, moveTo) });
    await tx.deleteFrom("lanes").where("id", "=", laneId).execute();
    await tx
      .updateTable("lanes")
      .set({ position: sql`position - 1` })
      .where("project_id", "=", projectId)
      .where("position", ">", lane.position)
      .execute();
    await recordAudit(tx, {
      kind: "lane.deleted",
      project_id: projectId,
      subject: { type: "lane", id: laneId, name: lane.name },
    });
  });
}

async function findDestination(tx: Tx, lane: Lane, moveTo: number | undefined): Promise<Lane | undefined> {
  if (moveTo === undefined) return undefined;
  const row = await tx
    .selectFrom("lanes")
    .select(SHOWN)
    .where("project_id", "=", lane.project_id)
    .where("id", "=", moveTo)
    .where("id", "<>", lane.id)
    .executeTakeFirst();
  if (!row) throw invalid({ move_to: ["is not another lane of the project"] });
  return row as Lane;
}

/** Locks the project until the transaction ends and counts its lanes. */
async function lockLanes(tx: Tx, projectId: number): Promise<number> {
  await lockProject(tx, projectId);
  const { count } = await tx
    .selectFrom("lanes")
    .select((query) => query.fn.countAll<number>().as("count"))
    .where("project_id", "=", projectId)
    .executeTakeFirstOrThrow();
  return count;
}

/** One statement, because positions are unique at the end of each statement. */
async function moveLane(tx: Tx, lane: Lane, to: number): Promise<void> {
  const from = lane.position;
  await tx
    .updateTable("lanes")
    .set({ position: sql`case when id = ${lane.id} then ${to} else position + ${to < from ? 1 : -1} end` })
    .where("project_id", "=", lane.project_id)
    .where("position", ">=", Math.min(from, to))
    .where("position", "<=", Math.max(from, to))
    .execute();
}

function requireWithin(position: number, last: number) {
  if (position > last) throw invalid({ position: [`must be at most ${last}`] });
}

const noSuchLane = () => notFound("There is no such lane.");
