import pg from "pg";
import { StartError } from "../config/start-error.ts";
import { connectionFailure } from "./connection-failure.ts";
import { connectionOptions, START_CONNECT_MS } from "./connection-options.ts";

/** Throws StartError if the addresses lead to different databases: events would go to one, and everything else to the other. */
export async function requireSameDatabase(url: string, directUrl: string): Promise<void> {
  if (url === directUrl) return;
  const [pooled, direct] = await Promise.all([
    identityOf("DATABASE_URL", url),
    identityOf("DATABASE_DIRECT_URL", directUrl),
  ]);
  if (pooled !== direct)
    throw new StartError("DATABASE_URL and DATABASE_DIRECT_URL lead to different databases.");
}

async function identityOf(setting: string, url: string): Promise<string> {
  let client: pg.Client | undefined;
  try {
    client = new pg.Client({ ...connectionOptions(url), connectionTimeoutMillis: START_CONNECT_MS });
    client.on("error", () => {});
    await client.connect();
    const { rows } = await client.query<{ identity: string }>(IDENTITY);
    return String(rows[0]?.identity);
  } catch (error) {
    throw new StartError(`The database of ${setting} cannot be used: ${connectionFailure(error)}`, error);
  } finally {
    void client?.end().catch(() => {});
  }
}

/** Two servers do not start in the same microsecond. */
const IDENTITY = `
select extract(epoch from pg_postmaster_start_time())::text || ' ' || oid::text as identity
from pg_database where datname = current_database()`;
