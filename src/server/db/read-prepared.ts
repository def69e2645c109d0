import type { CompiledQuery, Kysely } from "kysely";
import type pg from "pg";
import type { DB } from "./schema.ts";

const pools = new WeakMap<Kysely<DB>, pg.Pool>();

/** Allows `readPrepared` to use named statements on the pool. */
export const allowPrepared = (db: Kysely<DB>, pool: pg.Pool): void => void pools.set(db, pool);

/**
 * Reads with a statement that each connection plans once instead of for each execution: for statements that run many times
 * a second. A list is an array in one parameter, so that the text is always the same. Connections, and with them their
 * plans, are replaced every minute. A connection pooler gets the statement without a name, and so does a transaction.
 */
export async function readPrepared<Row>(
  db: Kysely<DB>,
  name: string,
  query: CompiledQuery<Row>,
): Promise<Row[]> {
  const pool = pools.get(db);
  if (!pool) return (await db.executeQuery(query)).rows;
  const { rows } = await pool.query({ name, text: query.sql, values: [...query.parameters] });
  return rows as Row[];
}
