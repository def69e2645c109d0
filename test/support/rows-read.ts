import type { Database } from "../../src/server/db/connect.ts";

/** Rows of a table that statements have read so far. Each connection keeps its own count until it reports it. */
export async function rowsRead({ pool }: Pick<Database, "pool">, table: string): Promise<number> {
  const all = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  await Promise.all(all.map((client) => client.query("select pg_stat_force_next_flush()")));
  for (const client of all) client.release();
  const { rows } = await pool.query<{ read: string }>(
    "select seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_user_tables where relname = $1",
    [table],
  );
  return Number(rows[0]?.read);
}
