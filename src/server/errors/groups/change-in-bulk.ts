import { sql, type RawBuilder } from "kysely";
import type { BulkStatus } from "../../../shared/error-groups.ts";
import { projectsWhere } from "../../access/access-queries.ts";
import type { Caller } from "../../access/caller.ts";
import type { Tx } from "../../db/connect.ts";
import { readListItems } from "./list-items.ts";
import type { ErrorDb } from "./error-db.ts";

type BulkChange = {
  ids: number[];
  change: (tx: Tx, permitted: number[]) => Promise<void>;
  condition?: RawBuilder<unknown>;
};

/**
 * Changes many groups, in any projects, in one transaction. Ids that are unknown, belong to a project where the caller lacks
 * Error Groups: Update, or do not match `condition` on `g`, are returned as refused without a reason, so that nobody can probe
 * for ids.
 */
export async function changeInBulk(
  errorDb: ErrorDb,
  caller: Caller,
  { ids, change, condition = sql`` }: BulkChange,
): Promise<BulkStatus> {
  const projects = projectsWhere(caller, "error-groups:update", "error_tracking");
  return errorDb.db.transaction().execute(async (tx) => {
    // Lock in the same order as ingestion, so that neither it nor another bulk change can deadlock with this. Groups that a
    // concurrent merge or deletion removes are refused.
    const { rows } = await sql<{ id: number }>`
      select g.id from error_groups g
      where g.id = any(${ids}::bigint[]) and g.project_id in (${projects}) ${condition}
      order by g.key for no key update of g`.execute(tx);
    const permitted = rows.map((row) => row.id);
    await change(tx, permitted);
    const data = await readListItems({ ...errorDb, db: tx }, permitted);
    const known = new Set(permitted);
    return { data, refused_ids: ids.filter((id) => !known.has(id)) };
  });
}
