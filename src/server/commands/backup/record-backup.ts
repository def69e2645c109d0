import { sql } from "kysely";
import { connect } from "../../db/connect.ts";
import { recordAudits } from "../../record/audit.ts";

/** Records a backup in the audit log of every workspace. Does nothing if the schema is older than the audit log. */
export async function recordBackup(url: string): Promise<void> {
  const { db, close } = connect(url, () => {});
  try {
    const { rows } = await sql`select where to_regclass('audit_events') is not null`.execute(db);
    if (rows.length === 0) return;
    const workspaces = await db.selectFrom("workspaces").select("id").orderBy("id").execute();
    await recordAudits(
      db,
      workspaces.map(({ id }) => ({ kind: "export.made", workspace_id: id, details: { of: "backup" } })),
    );
  } finally {
    await close();
  }
}
