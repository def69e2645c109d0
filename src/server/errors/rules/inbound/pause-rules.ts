import { sql } from "kysely";
import type { Db } from "../../../db/connect.ts";
import type { SlowRule } from "../../../ingest/drop-events/dropping-rule.ts";

/** Switches the rules off, except those whose pattern has been changed since. */
export async function pauseInboundRules(db: Db, slow: readonly SlowRule[]): Promise<void> {
  await sql`update inbound_rules r set active = false, paused_at = clock_timestamp()
      from json_to_recordset(${JSON.stringify(slow)}) as s (id bigint, pattern text)
      where r.id = s.id and r.pattern = s.pattern and r.active`.execute(db);
}
