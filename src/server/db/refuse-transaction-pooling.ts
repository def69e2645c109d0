import type pg from "pg";
import { StartError } from "../config/start-error.ts";

/** One attempt may prove nothing, because poolers hand out connections in turn and other programs use them as well. */
const ATTEMPTS = 5;

/**
 * Throws StartError if a connection pooler such as PgBouncer assigns a PostgreSQL connection to a client only for a
 * transaction. Then settings, advisory locks, prepared statements and LISTEN would get lost, or reach other clients.
 * Both clients must be connected to the same address.
 */
export async function refuseTransactionPooling(client: pg.Client, other: pg.Client): Promise<void> {
  for (let left = ATTEMPTS; left > 0; left--) {
    const before = await backendOf(client);
    await other.query("begin");
    const during = await backendOf(other);
    const after = await backendOf(client);
    await other.query("rollback");
    if (before !== after || before === during) throw new StartError(REASON);
  }
}

const REASON =
  "The database is reached through a connection pooler in transaction mode, which loses settings, locks and notifications. Set DATABASE_DIRECT_URL to an address of PostgreSQL itself, or set pool_mode = session for this database.";

async function backendOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid;
}
