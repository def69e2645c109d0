import { type Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import { connectionOptions } from "./connection-options.ts";
import { DatabaseClient, type ClientOptions, type Settings } from "./database-client.ts";
import { allowPrepared } from "./read-prepared.ts";
import type { DB } from "./schema.ts";
import { SilenceWatch, type WatchTimes } from "./silence-watch.ts";
import { WorkDb } from "./work-db.ts";

/** Typed SQL on a connection pool, or in a transaction. */
export type Db = Kysely<DB>;
export type Tx = Transaction<DB>;

/** The pool and not a request's transaction, by its type: for what must not be undone with the request. */
export type Outside = Db & { outside?: never };

export type Database = {
  /** For all requests except those that send error events. */
  db: Db;
  pool: pg.Pool;
  /** For error events only: a flood of events cannot delay other requests, and slow lists cannot delay events. */
  ingest: pg.Pool;
  /** Shared by all connections to the address, so that each notices when another receives data. */
  watch: SilenceWatch;
  url: string;
  /** `url` leads to a connection pooler in transaction mode. */
  isShared: boolean;
  /** PostgreSQL itself, for what needs a session: notices, prepared statements, backups. */
  direct: { url: string; watch: SilenceWatch };
  close(): Promise<void>;
};

/** Text is read and written alike on all connections. JIT is off: compiling short statements costs more than it saves. */
const SESSION: Settings = { timezone: "UTC", datestyle: "ISO", jit: "off" };

const TIMEOUTS: Settings = { lock_timeout: "2s", idle_in_transaction_session_timeout: "15s" };

/** Forces one plan with indexes for all batches. A plan made while the tables were empty would later scan them in full. */
const INGEST_PLANS: Settings = { plan_cache_mode: "force_generic_plan", enable_seqscan: "off" };

/**
 * Connections are replaced after this time: PostgreSQL keeps several MB per connection for all tables and statements that it
 * has ever used, and the background jobs would keep a connection open forever.
 */
const LIFETIME_SECONDS = 60;

export const MAX_CONNECTIONS = 10;

/** Connections kept for a page, whose requests arrive together. More are closed soon after a burst of requests or lookups. */
const KEPT = 4;
export const SOON_MS = 2_000;

type OnError = (error: Error) => void;

type ConnectOptions = {
  /** PostgreSQL itself, if `url` leads to a connection pooler in transaction mode. */
  directUrl?: string | undefined;
  /** For tests. */
  watch?: WatchTimes | undefined;
  /** Connections kept while they are idle. For tests, because a new connection plans all statements again. */
  keptConnections?: number | undefined;
  /** How long a statement of a request waits for a lock, as a setting of PostgreSQL. */
  lockTimeout?: string | undefined;
  /** How long a statement may take, as a setting of PostgreSQL. For tests, on machines of any speed. */
  statementTimeout?: string | undefined;
  /** How long a request waits for a free connection. For tests, on machines of any speed. */
  waitMs?: number | undefined;
};

export function connect(
  url: string,
  onError: OnError,
  { directUrl = url, keptConnections = KEPT, ...times }: ConnectOptions = {},
): Database {
  const watch = new SilenceWatch(url, times.watch);
  const isShared = directUrl !== url;
  // Two watches, because a pooler can fall silent while PostgreSQL works, and vice versa.
  const direct = { url: directUrl, watch: isShared ? new SilenceWatch(directUrl, times.watch) : watch };
  const pool = openPool({
    url,
    watch,
    isShared,
    onError,
    name: "signalbox",
    max: MAX_CONNECTIONS,
    kept: keptConnections,
    idleMs: SOON_MS,
    waitMs: times.waitMs,
    settings: {
      statement_timeout: times.statementTimeout ?? "10s",
      ...(times.lockTimeout && { lock_timeout: times.lockTimeout }),
    },
  });
  // These few connections are always busy, so a pooler would not save any, and it may not support prepared statements.
  const ingest = openPool({
    ...direct,
    onError,
    name: "signalbox ingest",
    // One for projects with few waiting events, one for those with many, and one for events that are stored separately.
    max: 3,
    // Never replaced: a storm would wait while a new connection prepares its statements.
    lifetimeSeconds: 0,
    waitMs: times.waitMs,
    // A lock timeout must be shorter than the statement timeout to have an effect.
    settings: { statement_timeout: times.statementTimeout ?? "2s", lock_timeout: "1s", ...INGEST_PLANS },
  });
  const db = new WorkDb({ dialect: new PostgresDialect({ pool }) });
  allowPrepared(db, pool);
  return {
    db,
    pool,
    ingest,
    watch,
    url,
    isShared,
    direct,
    close: async () => {
      await Promise.all([db.destroy(), ingest.end()]);
      await Promise.all(Array.from(new Set([watch, direct.watch]), (each) => each.close()));
    },
  };
}

type PoolOptions = {
  url: string;
  watch: SilenceWatch;
  /** A connection pooler in transaction mode is in between. */
  isShared?: boolean;
  onError: OnError;
  /** Shown in `pg_stat_activity`. */
  name: string;
  /** Connections. */
  max: number;
  /** 0 if connections stay open as long as they are used. */
  lifetimeSeconds?: number;
  /** Connections that stay open for their lifetime even if they are not used. */
  kept?: number;
  /** After this time without use, other connections are closed. */
  idleMs?: number;
  /** How long a request waits for a free connection. */
  waitMs?: number | undefined;
  settings: Settings;
};

/** A pool of connections to a database that can be written. */
export function openPool({
  url,
  watch,
  isShared = false,
  onError,
  name,
  max,
  lifetimeSeconds = LIFETIME_SECONDS,
  kept = 0,
  idleMs = 10_000,
  waitMs = 4_000,
  settings,
}: PoolOptions): pg.Pool {
  const options: ClientOptions & pg.PoolConfig = {
    ...connectionOptions(url),
    application_name: name,
    watch,
    isShared,
    mustWrite: true,
    settings: { ...SESSION, ...TIMEOUTS, ...settings },
    Client: DatabaseClient as unknown as new () => DatabaseClient,
    max,
    min: kept,
    idleTimeoutMillis: idleMs,
    connectionTimeoutMillis: waitMs,
    maxLifetimeSeconds: lifetimeSeconds,
  };
  const pool = new pg.Pool(options);
  // A lost connection without an `error` listener ends the process. Clients emit the error, idle or in use; the pool
  // repeats those of idle ones. While the pool is being closed, lost connections do not matter.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", (error) => pool.ending || onError(error)));
  return pool;
}
