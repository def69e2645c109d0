import { sql } from "kysely";
import type { z } from "zod";
import type { Report, reorderBody } from "../../shared/reports.ts";
import type { Db, Tx } from "../db/connect.ts";
import { invalid, notFound } from "../answers/errors.ts";
import { rankBetween } from "../work/ranks/rank.ts";
import { findGap, isInGap } from "../work/ranks/ranked-list.ts";
import { changeOrder, queueOf } from "./queue.ts";
import { readQueue } from "./list-reports.ts";

export type Move = z.output<typeof reorderBody>;

/**
 * Moves a report directly below `rank_before_id`, else directly above `rank_after_id`, else to the top. Returns all
 * reports of the project in the resulting order. Changes the `rank` and `updated_at` of the moved report only, and
 * neither if it is already in that position. 404 if one of the ids is not a report of the project; 422 on the neighbor's
 * field if the neighbor is the report itself, or if `rank_after_id` is above `rank_before_id`.
 */
export async function reorderReports(db: Db, projectId: number, move: Move): Promise<Report[]> {
  return changeOrder(
    db,
    projectId,
    (tx) => moveReport(tx, projectId, move),
    (snapshot) => readQueue(snapshot, projectId),
  );
}

async function moveReport(tx: Tx, projectId: number, move: Move): Promise<void> {
  const { current, above, below } = await readRanks(tx, projectId, move);
  if (above !== undefined && below !== undefined && below <= above)
    throw invalid({ rank_after_id: ["must be below the report named by rank_before_id"] });
  const gap = await findGap(tx, queueOf(projectId), move.report_id, { above, below });
  if (isInGap(current, gap)) return;
  const { numUpdatedRows } = await tx
    .updateTable("reports")
    .set({ rank: rankBetween(gap.low, gap.high), updated_at: sql`clock_timestamp()` })
    .where("id", "=", move.report_id)
    .executeTakeFirst();
  // Deleting a report does not wait for the queue's lock.
  if (numUpdatedRows === 0n) throw noSuchReportAnymore();
}

const noSuchReportAnymore = () => notFound("There is no such report in this project anymore.");

type Ranks = { current: string; above: string | undefined; below: string | undefined };

/** The ranks of the report and of the neighbors named in the request. */
async function readRanks(
  tx: Tx,
  projectId: number,
  { report_id, rank_before_id, rank_after_id }: Move,
): Promise<Ranks> {
  const ids = [report_id, rank_before_id, rank_after_id].filter((id) => id !== undefined);
  const rows = await tx
    .selectFrom("reports")
    .select(["id", "rank"])
    .where("project_id", "=", projectId)
    .where("id", "in", ids)
    .execute();
  const ranks = new Map(rows.map((row) => [row.id, row.rank]));
  if (ids.some((id) => !ranks.has(id))) throw noSuchReportAnymore();
  if (rank_before_id === report_id) throw invalid({ rank_before_id: [ITSELF] });
  if (rank_after_id === report_id) throw invalid({ rank_after_id: [ITSELF] });
  const rankOf = (id: number | undefined) => (id === undefined ? undefined : ranks.get(id));
  return {
    current: ranks.get(report_id) as string,
    above: rankOf(rank_before_id),
    below: rankOf(rank_after_id),
  };
}

const ITSELF = "must not be the report that is moved";
