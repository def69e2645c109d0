import { sql } from "kysely";
import type { ProjectRef } from "../../access/access-queries.ts";
import type { Db } from "../../db/connect.ts";

/** The project that a command names by its key or id. Undefined if there is none. */
export async function findProject(db: Db, ref: string): Promise<(ProjectRef & { key: string }) | undefined> {
  const { rows } = await sql<ProjectRef & { key: string }>`
    select id, workspace_id, key from projects
    where (upper(key) = upper(${ref}) or id::text = ${ref}) and deleted_at is null
    order by upper(key) = upper(${ref}) desc limit 1`.execute(db);
  return rows[0];
}
