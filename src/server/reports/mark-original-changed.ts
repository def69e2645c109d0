import { sql } from "kysely";
import type { Tx } from "../db/connect.ts";

type Original = { report_id?: number | null | undefined; issue_id?: number | null | undefined };

/** The page of an original lists its duplicates and counts their voices, so it is read again when these change. */
export async function markOriginalChanged(tx: Tx, { report_id, issue_id }: Original): Promise<void> {
  if ((report_id ?? null) !== null)
    await sql`update reports set updated_at = clock_timestamp() where id = ${report_id}`.execute(tx);
  if ((issue_id ?? null) !== null)
    await sql`update issues set updated_at = clock_timestamp() where id = ${issue_id}`.execute(tx);
}
