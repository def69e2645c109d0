import { sql } from "kysely";
import type { Tx } from "../../db/connect.ts";
import { sealRow, type SealedRow, type ServerSecret } from "../status/server-secret.ts";

/** The secret of the link to a page that lists someone's reports. */
export const myReportsSecret = (secret: ServerSecret, { id, created_at }: Omit<SealedRow, "generation">) =>
  sealRow(secret, MY_REPORTS, { id, created_at, generation: 0 });

export const MY_REPORTS = "my reports";

/** Returns the paths of the pages that list the reports of these addresses in a project, by address. */
export async function readMyReportsPaths(
  tx: Tx,
  secret: ServerSecret,
  { projectId, emails }: { projectId: number; emails: string[] },
): Promise<Map<string, string>> {
  // Sorted, so that concurrent statements wait for each other's rows in the same order.
  await sql`
    insert into my_reports_pages (project_id, email) select ${projectId}, email
    from (select distinct unnest(${emails}::text[]) as email order by email) one
    on conflict do nothing`.execute(tx);
  const { rows } = await sql<{ id: number; created_at: string; email: string }>`
    select id, created_at, email from my_reports_pages
    where project_id = ${projectId} and email = any(${emails}::text[])`.execute(tx);
  return new Map(rows.map((page) => [page.email, `/mine/${myReportsSecret(secret, page)}`]));
}
