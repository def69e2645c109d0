import { sql } from "kysely";
import type { Db } from "../../src/server/db/connect.ts";

/** The tables with a row that contains one of the texts. */
export async function tablesWith(db: Db, forms: string[]): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db);
  const patterns = forms.map(escape);
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.raw(name)} t where t::text ilike any (${patterns}) limit 1`.execute(
      db,
    );
    for (const { row } of rows) found.push(`${name}: ${excerpt(row, forms)}`);
  }
  return found;
}

const escape = (value: string) => `%${value.replace(/[\\%_]/g, "\\$&")}%`;

/** What surrounds the first of the values. */
function excerpt(row: string, values: string[]): string {
  const starts = values
    .map((value) => row.toLowerCase().indexOf(value.toLowerCase()))
    .filter((at) => at !== -1);
  const start = Math.max(0, Math.min(...starts) - 300);
  return row.slice(start, start + 600);
}
