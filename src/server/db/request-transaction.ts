import { AsyncLocalStorage } from "node:async_hooks";
import type { PostgresPool } from "kysely";
import type pg from "pg";
import { FairTurns, type Taker } from "../batching/fair-turns.ts";

/**
 * These end a transaction and begin the next one in the same query, so that a connection pooler assigns no other
 * connection in between, and locks of the session remain. Within a request's transaction they concern a savepoint.
 */
export const COMMIT_AND_READ = "commit; start transaction isolation level repeatable read, read only";
export const ROLLBACK_AND_BEGIN = "rollback; start transaction";

const current = new AsyncLocalStorage<RequestTransaction>();

/** Runs `work` so that all statements of Kysely within it belong to the transaction, until the transaction ends. */
export function withinTransaction(transaction: RequestTransaction, work: () => void): void {
  current.run(transaction, work);
}

/** Runs `work` outside of the request's transaction, whose changes it does not see. */
export const outsideTransaction = <T>(work: () => T): T => current.exit(work);

/** The pool for Kysely. If the request has a transaction, it hands out that transaction's connection. */
export function requestPool(pool: pg.Pool): PostgresPool {
  return {
    connect: async () => current.getStore()?.connect() ?? (await pool.connect()),
    end: () => pool.end(),
    options: pool.options,
  };
}

/**
 * One transaction around everything that a request changes. It begins with the first transaction or the first single
 * statement that is not a plain select, so that no connection is held while files are converted or passwords hashed.
 * Transactions within it become savepoints.
 */
export class RequestTransaction {
  readonly #pool: pg.Pool;
  readonly #taker: Taker;
  readonly #onBegin: (client: pg.PoolClient) => Promise<void>;
  #endTurn = () => {};
  #client: Promise<pg.PoolClient> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;
  #savepoints = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** `onBegin` runs first in the transaction; if it throws, so does the statement that began it. */
  constructor(pool: pg.Pool, taker: Taker, onBegin: (client: pg.PoolClient) => Promise<void>) {
    this.#pool = pool;
    this.#taker = taker;
    this.#onBegin = onBegin;
  }

  /** Undefined once the transaction has ended. */
  connect(): Pick<pg.PoolClient, "query" | "release"> | undefined {
    return this.#ended ? undefined : this.#nested();
  }

  /** Runs `last`, commits, and returns true; false if the transaction never began. */
  async commit(last: (client: pg.PoolClient) => Promise<unknown>): Promise<boolean> {
    const client = await this.#end();
    if (!client) return false;
    try {
      await this.#last;
      await last(client);
      const { command } = await client.query("commit");
      if (command !== "COMMIT") throw new Error("a statement of the request failed unnoticed");
      client.release();
      this.#endTurn();
      return true;
    } catch (error) {
      await this.#discard(client);
      throw error;
    }
  }

  async rollback(): Promise<void> {
    const client = await this.#end();
    if (client) await this.#discard(client);
  }

  /** Rolls back an open transaction unless it ends within `ms`. Until then, only the transaction is kept in memory. */
  rollbackAfter(ms: number): void {
    if (this.#client && !this.#ended) this.#timer = setTimeout(() => void this.rollback(), ms).unref();
  }

  async #begin(): Promise<pg.PoolClient> {
    this.#endTurn = await turns.take(this.#taker);
    const client = await this.#pool.connect().catch((error: unknown) => {
      this.#endTurn();
      throw error;
    });
    try {
      await client.query("begin");
      await this.#onBegin(client);
      return client;
    } catch (error) {
      await this.#discard(client);
      throw error;
    }
  }

  /** The connection, unless the transaction has ended before or never began. */
  async #end(): Promise<pg.PoolClient | undefined> {
    clearTimeout(this.#timer);
    if (this.#ended) return undefined;
    this.#ended = true;
    return this.#client?.catch(() => undefined);
  }

  /** Rolls back, or closes the connection if that fails. */
  async #discard(client: pg.PoolClient): Promise<void> {
    const failed = await client.query("rollback").then(
      () => undefined,
      (error: Error) => error,
    );
    client.release(failed);
    this.#endTurn();
  }

  /** The connection as one user of it sees it. Kysely sends `begin`, `commit` and `rollback` as statements. */
  #nested(): Pick<pg.PoolClient, "query" | "release"> {
    let savepoint: string | undefined;
    const run = async (client: pg.PoolClient, text: string, values?: unknown[]) => {
      if (savepoint === undefined) {
        if (!/^(begin|start transaction)\b/.test(text)) return this.#alone(client, text, values);
        savepoint = `request_${++this.#savepoints}`;
        return client.query(`savepoint ${savepoint}`);
      }
      if (text === COMMIT_AND_READ || text === ROLLBACK_AND_BEGIN) {
        if (text === ROLLBACK_AND_BEGIN) await client.query(`rollback to savepoint ${savepoint}`);
        return client.query(`release savepoint ${savepoint}; savepoint ${savepoint}`);
      }
      if (text !== "commit" && text !== "rollback") return client.query(text, values);
      if (text === "rollback") await client.query(`rollback to savepoint ${savepoint}`);
      const result = await client.query(`release savepoint ${savepoint}`);
      savepoint = undefined;
      return result;
    };
    const query = async (text: string, values?: unknown[]) => {
      const isBefore = !this.#client && PLAIN_SELECT.test(text);
      if (isBefore || this.#ended) return this.#pool.query(text, values);
      const client = await (this.#client ??= this.#begin());
      return this.#inTurn(() => run(client, text, values));
    };
    return { query: query as pg.PoolClient["query"], release: () => {} };
  }

  /** Runs a single statement in a savepoint, so that its failure does not abort the transaction. */
  async #alone(client: pg.PoolClient, text: string, values?: unknown[]) {
    const name = `request_${++this.#savepoints}`;
    await client.query(`savepoint ${name}`);
    try {
      return await client.query(text, values);
    } catch (error) {
      await client.query(`rollback to savepoint ${name}`);
      throw error;
    } finally {
      await client.query(`release savepoint ${name}`);
    }
  }

  /** Requests may send statements concurrently, but a connection takes one at a time. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }
}

/** A read that does not lock anything. */
const PLAIN_SELECT =
  /^\s*select\b(?![^]*\b(?:pg_advisory_\w+|for (?:no key )?(?:update|share|key share))\b)/i;

/**
 * The transactions of requests that are open at once. Each holds a connection while its request may need another one for rate
 * limits, so they must not use all connections of the pool. A credential whose transactions wait for locks leaves some to others.
 */
const turns = new FairTurns({
  places: 5,
  placesPerCredential: 3,
  maxWaitMs: 5_000,
  maxWaiting: Infinity,
});
