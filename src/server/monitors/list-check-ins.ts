import { sql } from "kysely";
import type { z } from "zod";
import type { Page } from "../../shared/answers.ts";
import { filter, filterOf } from "../../shared/filters.ts";
import { CHECK_IN_STATUSES, type CheckIn } from "../../shared/monitors.ts";
import { pageQuery, readPage } from "../answers/page.ts";
import type { Db } from "../db/connect.ts";
import { readMonitorRow } from "./read-monitors.ts";

export const checkInsQuery = pageQuery.extend({
  environment: filter,
  status: filterOf(`must be one of ${CHECK_IN_STATUSES.join(", ")}`, (value) =>
    CHECK_IN_STATUSES.find((status) => status === value),
  ),
});

/** Check-ins, newest first. 404 if the project has no such monitor. */
export async function listCheckIns(
  db: Db,
  projectId: number,
  slug: string,
  { environment, status, ...query }: z.output<typeof checkInsQuery>,
): Promise<Page<CheckIn>> {
  const monitor = await readMonitorRow(db, projectId, slug);
  let checkIns = db
    .selectFrom("monitor_check_ins as c")
    .innerJoin("monitor_environments as e", "e.id", "c.environment_id")
    .select([
      "c.id",
      sql<string>`replace(c.check_in_id::text, '-', '')`.as("check_in_id"),
      "e.name as environment",
    ])
    .select(["c.status", "c.duration", "c.release", "c.text", "c.started_at", "c.finished_at", "c.due_at"])
    .where("c.monitor_id", "=", monitor.id);
  if (environment !== undefined) checkIns = checkIns.where("e.name", "=", environment);
  if (status !== undefined) checkIns = checkIns.where("c.status", "=", status);
  return readPage(checkIns.$castTo<CheckIn>(), query, "c.id", { newestFirst: true });
}
