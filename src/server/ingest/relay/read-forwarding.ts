import type { Forwarding } from "../../../shared/forwarding.ts";
import type { Db } from "../../db/connect.ts";

/** What all processes have forwarded for the project since its DSN was set. */
export async function readForwarding(db: Db, projectId: number): Promise<Forwarding> {
  const row = await db
    .selectFrom("project_forwarding")
    .select(["sent", "failed", "dropped", "last_error", "since"])
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return row ?? { sent: 0, failed: 0, dropped: 0, last_error: null, since: null };
}
