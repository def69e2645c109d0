import pg from "pg";
import { StartError } from "../config/start-error.ts";
import { connectionOptions } from "./connect.ts";

/** Node-postgres sends no limit of 0, and an operator's address may bring options of its own: said after connecting. */
const NO_LIMITS = `
  set statement_timeout = 0;
  set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0;
  set idle_session_timeout = 0`;

/** PostgreSQL 17 and newer have it. */
const NO_LIMIT_OF_TRANSACTIONS =
  "select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout'";

/**
 * One connection for work whose length nobody knows: whatever limits of time the database, the role or the address have
 * as their defaults, this has none. Throws StartError when the database does not answer.
 */
export async function connectWithoutTimeouts(
  url: string,
  application_name: string,
  options: pg.ClientConfig = {},
): Promise<pg.Client> {
  const client = new pg.Client({ ...connectionOptions(url), application_name, ...options });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query(NO_LIMITS);
    await client.query(NO_LIMIT_OF_TRANSACTIONS);
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    throw new StartError(`The database cannot be used: ${reason(error)}`, error);
  }
}

/** Of several addresses that were tried in vain, the first one's. The text names no password. */
function reason(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return first instanceof Error ? first.message : String(first);
}
