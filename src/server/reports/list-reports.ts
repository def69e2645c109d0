import { sql } from "kysely";
import type { z } from "zod";
import type { Report, reportListQuery } from "../../shared/reports.ts";
import type { Db } from "../db/connect.ts";
import { selectReports } from "./read-report.ts";

const FILTERS = {
  active: sql`and r.promoted_at is null and r.dismissed_at is null`,
  promoted: sql`and r.promoted_at is not null`,
  dismissed: sql`and r.dismissed_at is not null`,
};

type Query = z.output<typeof reportListQuery>;

/** The project's reports in queue order, optionally limited to one view or to some ids. */
export async function listReports(
  db: Db,
  projectId: number,
  { view, ids }: Partial<Query> = {},
): Promise<Report[]> {
  const inView = view === undefined ? sql`` : FILTERS[view];
  const named = ids === undefined ? sql`` : sql`and r.id = any(${ids}::bigint[])`;
  return selectReports(db, projectId, sql`${inView} ${named}`);
}
