import { sql } from "kysely";
import type { Db } from "../../src/server/db/connect.ts";

/**
 * Tables that rejected and read-only requests may change: the first read of the push key creates it, and rejected events
 * count as usage. Dumps also leave out `last_used_at`.
 */
const LEFT_OUT = new Set(["rate_limits", "schema_migrations", "push_keys", "project_usage"]);

/** A hash of the rows of each table. With `projectIds`, only tables with a `project_id`, and only rows of these projects. */
export async function dump(db: Db, projectIds?: number[]): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string; has_project: boolean }>`
    select t.table_name as name, exists (
      select from information_schema.columns c
      where c.table_schema = t.table_schema and c.table_name = t.table_name and c.column_name = 'project_id'
    ) as has_project
    from information_schema.tables t
    where t.table_schema = current_schema() and t.table_type = 'BASE TABLE' order by 1`.execute(db);
  const found: Record<string, string> = {};
  for (const { name, has_project } of rows) {
    if (LEFT_OUT.has(name) || (projectIds && !has_project)) continue;
    const only = projectIds ? sql`where t.project_id = any(${projectIds})` : sql``;
    const { rows: hashed } = await sql<{ hash: string | null }>`
      select md5(string_agg(one, '' order by one)) as hash
      from (select (to_jsonb(t) - 'last_used_at')::text as one from ${sql.table(name)} t ${only}) all_rows`.execute(
      db,
    );
    found[name] = hashed[0]?.hash ?? "empty";
  }
  return found;
}
