import { Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import type { DB } from "./schema.ts";

/** A connection pool seen as typed SQL: what every verb takes. A transaction is one, too. */
export type Db = Kysely<DB>;
export type Tx = Transaction<DB>;

export type Database = {
  /** Requests of people and of the API. */
  db: Db;
  pool: pg.Pool;
  /** Error events alone, so that neither a flood of them nor a slow list starves the other. */
  ingest: pg.Pool;
  url: string;
  close(): Promise<void>;
};

const SESSION = "-c timezone=UTC -c datestyle=ISO -c jit=off";

/** One plan for every batch, by index: a plan made while the tables were empty would read them whole later. */
const INGEST_PLANS = "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off";

type Notice = (error: Error) => void;

/** Opens the pools (reliability.md, Database: time limits, small separate pools). */
export function connect(url: string, onError: Notice): Database {
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

export function openPool(url: string, onError: Notice, options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    ...connectionOptions(url),
    keepAlive: true,
    lock_timeout: 2_000,
    idle_in_transaction_session_timeout: 15_000,
    connectionTimeoutMillis: 5_000,
    ...options,
  });
  // Unheard, a lost connection ends the process. The client tells of it, whether it is idle or at work; once the pool
  // is being closed its connections may go as they like.
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
 * `2026-11-20 23:30:47.1234+00` → `2026-11-20T23:30:47.123400Z`: the microseconds PostgreSQL keeps, which a
 * JavaScript Date would lose. Sessions run in UTC, so the offset is always +00.
 */
function isoMicroseconds(value: string): string {
  return `${value.slice(0, 10)}T${value.slice(11, 19)}.${value.slice(20, -3).padEnd(6, "0")}Z`;
}
