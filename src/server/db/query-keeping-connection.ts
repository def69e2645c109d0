import type pg from "pg";

/** A constraint was violated, or one of our functions raised an error. */
const EXPECTED = /^(23|SB)/;

/**
 * Like `pool.query`, which closes the connection after any error, and with it all statements that it has prepared. This
 * keeps the connection if the statement failed in a way that is part of the work.
 */
export async function queryKeepingConnection<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  statement: pg.QueryConfig,
): Promise<pg.QueryResult<Row>> {
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    return await client.query<Row>(statement);
  } catch (error) {
    if (!EXPECTED.test((error as { code?: string }).code ?? "")) failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}
