import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import type { DB } from "./schema.ts";

/** Typed SQL on a connection pool, or in a transaction. */
export type Db = Kysely<DB>;
export type Tx = Transaction<DB>;

export type Database = {
  /** For all requests except those that send error events. */
  db: Db;
  pool: pg.Pool;
  /** For error events only: a flood of events cannot delay other requests, and slow lists cannot delay events. */
  ingest: pg.Pool;
  url: string;
  close(): Promise<void>;
};

const SESSION = "-c timezone=UTC -c datestyle=ISO -c jit=off";

/** One plan for all batches, using indexes. A plan made while the tables were empty would later scan them in full. */
const INGEST_PLANS = "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off";

type OnError = (error: Error) => void;

export function connect(url: string, onError: OnError): Database {
  const pool = openPool(url, onError, { max: 10, statement_timeout: 10_000, application_name: "signalbox" });
  const ingest = openPool(url, onError, {
    max: 2,
    statement_timeout: 5_000,
    application_name: "signalbox ingest",
    options: `${SESSION} ${INGEST_PLANS}`,
  });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    pool,
    ingest,
    url,
    close: async () => {
      await Promise.all([db.destroy(), ingest.end()]);
    },
  };
}

export function openPool(url: string, onError: OnError, options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    keepAlive: true,
    lock_timeout: 2_000,
    idle_in_transaction_session_timeout: 15_000,
    connectionTimeoutMillis: 5_000,
    ...options,
  });
  // A lost connection without an `error` listener ends the process. Clients emit the error, idle or in use; the pool
  // repeats those of idle ones. While the pool is being closed, lost connections do not matter.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", (error) => pool.ending || onError(error)));
  return pool;
}

export function connectionOptions(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    options: SESSION,
    types: { getTypeParser },
  };
}

const INT8 = 20;
const TIMESTAMPTZ = 1184;
const DATE = 1082;
const INT8_ARRAY = 1016;

const getTypeParser: pg.CustomTypesConfig["getTypeParser"] = (oid, format) => {
  const type: number = oid;
  if (format !== "binary") {
    if (type === INT8) return Number;
    if (type === TIMESTAMPTZ) return isoMicroseconds;
    if (type === DATE) return String;
    if (type === INT8_ARRAY)
      return (value: string) => (value === "{}" ? [] : value.slice(1, -1).split(",").map(Number));
  }
  return pg.types.getTypeParser(oid, format);
};

/**
 * `2026-11-20 23:30:47.1234+00` → `2026-11-20T23:30:47.123400Z`. Keeps PostgreSQL's microseconds, which a JavaScript
 * Date would lose. The offset is always +00, because sessions run in UTC.
 */
function isoMicroseconds(value: string): string {
  return `${value.slice(0, 10)}T${value.slice(11, 19)}.${value.slice(20, -3).padEnd(6, "0")}Z`;
}
