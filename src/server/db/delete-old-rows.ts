import { sql, type RawBuilder } from "kysely";
import type { DB } from "./schema.ts";
import type { Db } from "./connect.ts";
import { BATCH_ROWS, batchOf, deleteInBatches } from "./delete-in-batches.ts";

/** A table with ids, the column with the age of its rows, and after how many days they are deleted. */
type OldRows = { table: keyof DB; column: string; days: number };

/** Deletes old rows in batches and returns how many. */
export function deleteOldRows(
  db: Db,
  { table, column, days }: OldRows,
  signal: AbortSignal | undefined,
): Promise<number> {
  return deleteInBatches(
    async () =>
      batchOf(
        await sql`
          delete from ${sql.table(table)} where id in (
            select id from ${sql.table(table)}
            where ${sql.ref(column)} < now() - make_interval(days => ${days}) limit ${sql.lit(BATCH_ROWS)}
          )`.execute(db),
      ),
    signal,
  );
}

/** Deletes the rows that meet the condition in batches, without those that somebody else has locked, and returns how many. */
export function deleteRowsWhere(
  db: Db,
  table: keyof DB,
  condition: RawBuilder<unknown>,
  signal: AbortSignal | undefined,
): Promise<number> {
  return deleteInBatches(
    async () =>
      batchOf(
        await sql`
          delete from ${sql.table(table)} where ctid in (
            select ctid from ${sql.table(table)} where ${condition} limit ${sql.lit(BATCH_ROWS)} for update skip locked
          )`.execute(db),
      ),
    signal,
  );
}
