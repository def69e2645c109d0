import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type { Db, Outside } from "../db/connect.ts";
import { WorkDb } from "../db/work-db.ts";

/** Executes statements one after the other in a transaction. */
export type TransactionStatements = {
  /** For a statement within a savepoint. */
  execute<R>(query: CompiledQuery): Promise<QueryResult<R>>;
  /** For a statement outside of savepoints: its failure must not abort the transaction. */
  executeAlone<R>(query: CompiledQuery): Promise<QueryResult<R>>;
  beginSavepoint(): Promise<string>;
  releaseSavepoint(name: string): Promise<void>;
  rollbackToSavepoint(name: string): Promise<void>;
};

/**
 * The database for a request with an Idempotency-Key: one transaction, in which the transactions of actions are savepoints. Actions
 * take it like the pool, as a `Db`.
 */
export class TransactionDb extends WorkDb {
  /** The pool, for what must not wait for the commit. It does not see the changes before that. */
  readonly outside: Outside;

  constructor(statements: TransactionStatements, outside: Outside) {
    super({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new SavepointDriver(statements),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    });
    this.outside = outside;
  }
}

/** The pool, also if `db` is the transaction of a request. */
export const outsideOf = (db: Db): Outside => (db instanceof TransactionDb ? db.outside : db);

class SavepointDriver implements Driver {
  readonly #statements: TransactionStatements;

  constructor(statements: TransactionStatements) {
    this.#statements = statements;
  }

  async acquireConnection(): Promise<SavepointConnection> {
    return new SavepointConnection(this.#statements);
  }

  beginTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as SavepointConnection).begin();
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as SavepointConnection).commit();
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return (connection as SavepointConnection).rollback();
  }

  async init(): Promise<void> {}
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
}

/** The transaction as one of its users sees it: in a savepoint from `begin` to `commit` or `rollback`. */
class SavepointConnection implements DatabaseConnection {
  readonly #statements: TransactionStatements;
  #savepoint: string | undefined;

  constructor(statements: TransactionStatements) {
    this.#statements = statements;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#savepoint === undefined) return this.#statements.executeAlone(query);
    return this.#statements.execute(query);
  }

  streamQuery(): never {
    throw new Error("A request with an Idempotency-Key cannot stream rows.");
  }

  async begin(): Promise<void> {
    this.#savepoint = await this.#statements.beginSavepoint();
  }

  async commit(): Promise<void> {
    await this.#statements.releaseSavepoint(this.#take());
  }

  async rollback(): Promise<void> {
    await this.#statements.rollbackToSavepoint(this.#take());
  }

  #take(): string {
    const name = this.#savepoint;
    if (name === undefined) throw new Error("There is no savepoint.");
    this.#savepoint = undefined;
    return name;
  }
}
