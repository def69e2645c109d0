import type pg from "pg";
import { StartError } from "../config/start-error.ts";
import { connectionFailure } from "./connection-failure.ts";
import { connectionOptions } from "./connection-options.ts";
import { DatabaseClient, type Settings } from "./database-client.ts";
import { refuseTransactionPooling } from "./refuse-transaction-pooling.ts";
import { LONG_WORK_TIMES, SilenceWatch, type WatchTimes } from "./silence-watch.ts";

const NO_TIMEOUTS: Settings = {
  timezone: "UTC",
  datestyle: "ISO",
  jit: "off",
  statement_timeout: "0",
  lock_timeout: "0",
  idle_in_transaction_session_timeout: "0",
  idle_session_timeout: "0",
};

/** Only PostgreSQL 17 and later have this setting. */
const NO_TRANSACTION_TIMEOUT =
  "select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout'";

/**
 * Opens a connection for work of unknown length, without the timeouts that the database, the role or DATABASE_URL may
 * set. It is given up only if the database does not answer at all. Throws StartError if the database cannot be reached,
 * or only through a pooler in transaction mode.
 */
export async function connectWithoutTimeouts(
  url: string,
  application_name: string,
  times = LONG_WORK_TIMES,
): Promise<pg.Client> {
  const make = () => makeClient(url, application_name, times);
  let client: DatabaseClient | undefined;
  try {
    // Reads the certificates that the URL names.
    client = make();
    await client.connect();
    if (client.isPooled) await checkPooler(client, make());
    await client.query(NO_TRANSACTION_TIMEOUT);
    return client;
  } catch (error) {
    void client?.end().catch(() => {});
    if (error instanceof StartError) throw error;
    throw new StartError(`The database cannot be used: ${connectionFailure(error)}`, error);
  }
}

function makeClient(url: string, application_name: string, times: WatchTimes): DatabaseClient {
  const watch = new SilenceWatch(url, times);
  const client = new DatabaseClient({
    ...connectionOptions(url),
    application_name,
    watch,
    settings: NO_TIMEOUTS,
    // Allows a standby, from which a backup can be made.
    mustWrite: false,
  });
  client.once("end", () => void watch.close());
  return client;
}

async function checkPooler(client: DatabaseClient, other: DatabaseClient) {
  try {
    await other.connect();
    await refuseTransactionPooling(client, other);
  } finally {
    await other.end();
  }
}
