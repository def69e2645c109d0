import { CompiledQuery, type ControlledTransaction, type QueryResult, SelectQueryNode } from "kysely";
import { FairTurns, type Taker } from "../batching/fair-turns.ts";
import type { Outside, Tx } from "../db/connect.ts";
import type { DB } from "../db/schema.ts";
import { TransactionDb, type TransactionStatements } from "./transaction-db.ts";

/**
 * One transaction around everything that a request changes. It begins with the first transaction or the first single
 * statement that is not a plain select, so that no connection is held while files are converted or passwords hashed.
 */
export class RequestTransaction implements TransactionStatements {
  readonly db: TransactionDb;
  readonly #outside: Outside;
  readonly #taker: Taker;
  readonly #onBegin: (tx: Tx) => Promise<void>;
  #endTurn = () => {};
  #transaction: Promise<ControlledTransaction<DB>> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;
  #savepoints = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** `onBegin` runs first in the transaction; if it throws, so does the statement that began it. */
  constructor(outside: Outside, taker: Taker, onBegin: (tx: Tx) => Promise<void>) {
    this.db = new TransactionDb(this, outside);
    this.#outside = outside;
    this.#taker = taker;
    this.#onBegin = onBegin;
  }

  /** Runs `last`, commits, and returns true; false if the transaction never began. */
  async commit(last: (tx: Tx) => Promise<unknown>): Promise<boolean> {
    const tx = await this.#end();
    if (!tx) return false;
    try {
      await this.#last;
      await last(tx);
      await tx.commit().execute();
      this.#endTurn();
      return true;
    } catch (error) {
      await this.#discard(tx);
      throw error;
    }
  }

  async rollback(): Promise<void> {
    const tx = await this.#end();
    if (tx) await this.#discard(tx);
  }

  /** Rolls back an open transaction unless it ends within `ms`. Until then, only the transaction is kept in memory. */
  rollbackAfter(ms: number): void {
    if (this.#transaction && !this.#ended) this.#timer = setTimeout(() => void this.rollback(), ms).unref();
  }

  async execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#inTurn((tx) => tx.executeQuery<R>(query));
  }

  async executeAlone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (!this.#transaction && isPlainSelect(query)) return this.#outside.executeQuery<R>(query);
    return this.#inTurn(async (tx) => {
      const name = await this.#setSavepoint(tx);
      try {
        return await tx.executeQuery<R>(query);
      } catch (error) {
        await run(tx, `rollback to savepoint ${name}`);
        throw error;
      } finally {
        await run(tx, `release savepoint ${name}`);
      }
    });
  }

  beginSavepoint(): Promise<string> {
    return this.#inTurn((tx) => this.#setSavepoint(tx));
  }

  releaseSavepoint(name: string): Promise<void> {
    return this.#inTurn((tx) => run(tx, `release savepoint ${name}`));
  }

  rollbackToSavepoint(name: string): Promise<void> {
    return this.#inTurn(async (tx) => {
      await run(tx, `rollback to savepoint ${name}`);
      await run(tx, `release savepoint ${name}`);
    });
  }

  async #begin(): Promise<ControlledTransaction<DB>> {
    this.#endTurn = await turns.take(this.#taker);
    const tx = await this.#outside
      .startTransaction()
      .execute()
      .catch((error: unknown) => {
        this.#endTurn();
        throw error;
      });
    try {
      await this.#onBegin(tx);
      return tx;
    } catch (error) {
      await this.#discard(tx);
      throw error;
    }
  }

  /** The transaction, unless it has ended before or never began. */
  async #end(): Promise<ControlledTransaction<DB> | undefined> {
    clearTimeout(this.#timer);
    if (this.#ended) return undefined;
    this.#ended = true;
    return this.#transaction?.catch(() => undefined);
  }

  /** Rolls back. If that fails, Kysely closes the connection. */
  async #discard(tx: ControlledTransaction<DB>): Promise<void> {
    await tx
      .rollback()
      .execute()
      .catch(() => {});
    this.#endTurn();
  }

  async #setSavepoint(tx: Tx): Promise<string> {
    const name = `request_${++this.#savepoints}`;
    await run(tx, `savepoint ${name}`);
    return name;
  }

  /** Requests may send statements concurrently, but a connection takes one at a time. */
  async #inTurn<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#ended) throw new Error("The transaction of the request has ended.");
    const tx = await (this.#transaction ??= this.#begin());
    const result = this.#last.then(() => work(tx));
    this.#last = result.catch(() => {});
    return result;
  }
}

async function run(tx: Tx, statement: string): Promise<void> {
  await tx.executeQuery(CompiledQuery.raw(statement));
}

/** A read that Kysely has built and that locks nothing. Statements written as text may do anything. */
function isPlainSelect({ query }: CompiledQuery): boolean {
  return SelectQueryNode.is(query) && !query.with && !query.endModifiers;
}

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
