import { sql } from "kysely";
import type { ERROR_REGRESSED, SNOOZE_ENDED, SPIKE } from "../../../shared/notifications.ts";
import type { Tx } from "../../db/connect.ts";

/** Something that happened to a known group without a user's action. */
export type GroupOccasion =
  | { group_id: number; type: typeof ERROR_REGRESSED; details: { release: string | null } }
  | { group_id: number; type: typeof SNOOZE_ENDED; details: object }
  | { group_id: number; type: typeof SPIKE; details: { events: number; usual: number } };

/** Queues notices about groups. After the caller's transaction has committed, a job notifies people of them. */
export async function queueGroupNotices(tx: Tx, occasions: GroupOccasion[]): Promise<void> {
  if (occasions.length === 0) return;
  await sql`
    insert into error_group_notices (group_id, type, details)
    select * from jsonb_to_recordset(${JSON.stringify(occasions)}::jsonb)
      as occasion (group_id bigint, type smallint, details jsonb)`.execute(tx);
}
