import pg from "pg";
import { StartError } from "../config/start-error.ts";
import { connectionOptions } from "./connect.ts";

/** Set after connecting: node-postgres does not send a limit of 0, and DATABASE_URL may contain options. */
const NO_TIMEOUTS = `
  set statement_timeout = 0;
  set lock_timeout = 0;
  set idle_in_transaction_session_timeout = 0;
  set idle_session_timeout = 0`;

/** Only PostgreSQL 17 and later have this setting. */
const NO_TRANSACTION_TIMEOUT =
  "select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout'";

/**
 * Opens a connection for work of unknown length, without the timeouts that the database, the role or DATABASE_URL may
 * set. Throws StartError if the database cannot be reached.
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
    await client.query(NO_TIMEOUTS);
    await client.query(NO_TRANSACTION_TIMEOUT);
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    throw new StartError(`The database cannot be used: ${reason(error)}`, error);
  }
}

/** If several addresses were tried, the error of the first one. The text contains no password. */
function reason(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return first instanceof Error ? first.message : String(first);
}
