import assert from "node:assert/strict";
import { sql } from "kysely";
import type { Db } from "../../src/server/db/connect.ts";

/** Fails unless the sums in `open_counts` equal the numbers of open items in the tables, in one snapshot. */
export async function checkOpenCounts(db: Db): Promise<void> {
  const { rows } = await sql`
    select project_id, sum(open_errors) as open_errors, sum(regressed_errors) as regressed_errors, sum(open_issues) as open_issues
    from (
      select project_id, open_errors, regressed_errors, open_issues from open_counts
      union all
      select project_id, -(status = 0)::int, -(status = 0 and regressed_at is not null)::int, 0 from error_groups
      union all
      select project_id, 0, 0, -(closed_at is null)::int from issues
    ) one
    group by project_id having sum(open_errors) <> 0 or sum(regressed_errors) <> 0 or sum(open_issues) <> 0`.execute(
    db,
  );
  assert.deepEqual(rows, [], "differences between the sums and the tables");
}
