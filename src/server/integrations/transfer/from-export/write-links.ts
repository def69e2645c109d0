import { sql } from "kysely";
import type { Tx } from "../../../db/connect.ts";

/** Relates the objects of the export to each other, where both are here. Adds only what is missing, so it can be repeated. */
export async function writeLinks(tx: Tx, projectId: number): Promise<void> {
  await sql`set local statement_timeout = '5min'`.execute(tx);
  const links = (kind: string, of = "issues") => sql`
    (select pg_temp.target(${of}, source_id) as id, pg_temp.target(${of}, other_id) as other from source_links
    where kind = ${kind}) l`;
  await sql`
    insert into issue_blocks (project_id, blocker_id, blocked_id)
    select ${projectId}, other, id from ${links("blocks")} where other is not null on conflict do nothing`.execute(
    tx,
  );
  await sql`
    insert into issue_relations (project_id, issue_id, other_id)
    select ${projectId}, id, other from ${links("relations")}
    where other is not null on conflict do nothing`.execute(tx);
  for (const [kind, column] of Object.entries({ parent: "parent_id", duplicate: "duplicate_of_id" }))
    await sql`
      update issues i set ${sql.ref(column)} = l.other from ${links(kind)}
      where i.id = l.id and l.other is not null and ${sql.ref(`i.${column}`)} is null`.execute(tx);
  await sql`
    update reports r set duplicate_of_report_id = l.other from ${links("original", "reports")}
    where r.id = l.id and l.other is not null and r.duplicate_of_report_id is null`.execute(tx);
}
