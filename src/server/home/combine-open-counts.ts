import { sql } from "kysely";
import type { Db } from "../db/connect.ts";

/**
 * Replaces the rows of each project in `open_counts` by one with their sums, so that reading them stays fast. No transaction waits
 * for this, because none changes rows: what they add meanwhile is combined by the next run.
 */
export async function combineOpenCounts(db: Db): Promise<void> {
  await sql`
    with combined as (
      delete from open_counts where project_id in (
        select project_id from open_counts group by project_id having count(*) > 1)
      returning project_id, open_errors, regressed_errors, open_issues
    )
    insert into open_counts (project_id, open_errors, regressed_errors, open_issues)
    select project_id, sum(open_errors), sum(regressed_errors), sum(open_issues) from combined group by project_id
    having sum(open_errors) <> 0 or sum(regressed_errors) <> 0 or sum(open_issues) <> 0`.execute(db);
}
