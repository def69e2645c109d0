import { sql } from "kysely";
import type { z } from "zod";
import type { Report, reorderBody } from "../../../shared/reports.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { invalid, notFound } from "../../answers/errors.ts";
import { rankBetween } from "../../work/ranks/rank.ts";
import { changeOrder, neighbour } from "./queue.ts";
import { listReports } from "./read-reports.ts";

export type Move = z.output<typeof reorderBody>;

/**
 * Moves a report directly behind `rank_before_id`, else directly before `rank_after_id`, else to the top, and answers
 * with every report of the project in the order at that moment (service.md 4.1, decisions.md 2). Only the moved
 * report's rank and its `updated_at` change, and neither when it stands there already. 404 when one of the ids is not
 * a report of the project, 422 on the neighbour that is the report itself or stands on the wrong side.
 */
export async function reorderReports(db: Db, projectId: number, move: Move): Promise<Report[]> {
  return changeOrder(
    db,
    projectId,
    (tx) => moveReport(tx, projectId, move),
    (snapshot) => listReports(snapshot, projectId),
  );
}

async function moveReport(tx: Tx, projectId: number, move: Move): Promise<void> {
  const ranks = await ranksOf(tx, projectId, move);
  const [from, to] = await gapFor(tx, projectId, move, ranks);
  const current = ranks.get(move.report_id) as string;
  if ((from === null || from < current) && (to === null || current < to)) return;
  await tx
    .updateTable("reports")
    .set({ rank: rankBetween(from, to), updated_at: sql`clock_timestamp()` })
    .where("id", "=", move.report_id)
    .execute();
}

/** The ranks of the report and of the neighbours it names. */
async function ranksOf(tx: Tx, projectId: number, move: Move): Promise<Map<number, string>> {
  const { report_id, rank_before_id, rank_after_id } = move;
  const ids = [report_id, rank_before_id, rank_after_id].filter((id) => id !== undefined);
  const rows = await tx
    .selectFrom("reports")
    .select(["id", "rank"])
    .where("project_id", "=", projectId)
    .where("id", "in", ids)
    .execute();
  const ranks = new Map(rows.map((row) => [row.id, row.rank]));
  if (ids.some((id) => !ranks.has(id))) throw notFound("There is no such report in this project any more.");
  if (rank_before_id === report_id) throw invalid({ rank_before_id: [ITSELF] });
  if (rank_after_id === report_id) throw invalid({ rank_after_id: [ITSELF] });
  return ranks;
}

const ITSELF = "must be another report than the one that is moved";

/** The ranks the new one has to lie between: those of two reports with none but the moved one between them. */
async function gapFor(
  tx: Tx,
  projectId: number,
  { report_id, rank_before_id, rank_after_id }: Move,
  ranks: Map<number, string>,
): Promise<[string | null, string | null]> {
  const before = rank_before_id === undefined ? undefined : ranks.get(rank_before_id);
  const after = rank_after_id === undefined ? undefined : ranks.get(rank_after_id);
  if (before !== undefined) {
    if (after !== undefined && after <= before)
      throw invalid({ rank_after_id: ["must stand below the report named by rank_before_id"] });
    return [before, await neighbour(tx, projectId, before, "below", report_id)];
  }
  if (after !== undefined) return [await neighbour(tx, projectId, after, "above", report_id), after];
  return [null, await neighbour(tx, projectId, null, "above", report_id)];
}
