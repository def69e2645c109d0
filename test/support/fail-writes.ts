import { sql } from "kysely";
import type { Db } from "../../src/server/db/connect.ts";

/** Makes every update of this row fail, as on a full disk. Returns a function that ends this. */
export async function failWrites(
  db: Db,
  { table, id }: { table: string; id: number },
): Promise<() => Promise<void>> {
  const name = sql.ref(`no_writes_${table}_${id}`);
  await sql`create function ${name}() returns trigger language plpgsql as
    $$ begin raise exception 'no writes here'; end $$`.execute(db);
  await sql`create trigger ${name} before update on ${sql.table(table)}
    for each row when (old.id = ${sql.lit(id)}) execute function ${name}()`.execute(db);
  return async () => {
    await sql`drop trigger ${name} on ${sql.table(table)}`.execute(db);
    await sql`drop function ${name}()`.execute(db);
  };
}
