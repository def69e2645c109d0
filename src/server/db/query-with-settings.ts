import pg from "pg";

/**
 * Makes the client set the settings in each transaction, because a connection pooler assigns it a connection for one
 * transaction only.
 */
export function setForEachTransaction(client: pg.Client, settings: Record<string, string>): void {
  const send = client.query.bind(client) as (query: unknown) => void;
  const statements = statementsOf(settings);
  const isInTransaction = () => client.getTransactionStatus() !== "I";
  // Has node-postgres' overloads: its pool passes a callback, other callers expect a promise.
  client.query = ((...args: QueryArguments) => {
    const query = new QueryWithSettings(statements, isInTransaction, args);
    if (query.callback) return send(query);
    return new Promise((resolve, reject) => {
      query.callback = (error, result) => (error ? reject(error) : resolve(result));
      send(query);
    }).catch((error: Error) => {
      // Like node-postgres, report the caller's stack instead of the socket's.
      Error.captureStackTrace(error);
      throw error;
    });
  }) as pg.Client["query"];
}

/**
 * If the query begins a transaction, or is a whole transaction, the settings are set in that transaction first, without
 * another round trip. It is not prepared under a name, because the next transaction may be on another connection.
 */
class QueryWithSettings extends (pg.Query as unknown as new (...args: QueryArguments) => QueryParts) {
  readonly #isInTransaction: () => boolean;
  readonly #settings: Statements;
  /** Added statements that have not been answered yet. */
  #ahead = 0;

  constructor(settings: Statements, isInTransaction: () => boolean, args: QueryArguments) {
    super(...args);
    this.#settings = settings;
    this.#isInTransaction = isInTransaction;
    delete this.name;
  }

  override submit(connection: Connection): Error | null {
    if (this.#isInTransaction()) return super.submit(connection);
    const { all, count, single } = this.#settings;
    if (this.requiresPreparation()) {
      // All messages until the next "sync" are one transaction.
      this.#ahead = 1;
      connection.stream.cork();
      connection.parse({ text: single });
      connection.bind({});
      connection.execute({});
      const error = super.submit(connection);
      connection.stream.uncork();
      return error;
    }
    // A query of several statements is one transaction, and a "begin" in it continues that transaction.
    this.#ahead = count;
    connection.query(`${all}; ${this.text}`);
    return null;
  }

  override handleDataRow(message: unknown): void {
    if (this.#ahead === 0) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#ahead === 0) super.handleCommandComplete(message, connection);
    else this.#ahead--;
  }
}

/** The settings as `count` statements, and as a single one. */
type Statements = { all: string; count: number; single: string };

function statementsOf(settings: Record<string, string>): Statements {
  const entries = Object.entries(settings).map(
    ([name, value]) => [pg.escapeIdentifier(name), pg.escapeLiteral(name), pg.escapeLiteral(value)] as const,
  );
  return {
    all: entries.map(([name, , value]) => `set local ${name} = ${value}`).join("; "),
    count: entries.length,
    single: `select ${entries.map(([, name, value]) => `set_config(${name}, ${value}, true)`).join(", ")}`,
  };
}

type QueryArguments = [
  query: string | pg.QueryConfig,
  values?: unknown[] | Callback | undefined,
  callback?: Callback | undefined,
];
type Callback = (error: Error | undefined, result: pg.QueryResult) => void;

/** Members of node-postgres' `Query` and `Connection` that its types lack. */
type QueryParts = {
  name?: string;
  text: string;
  callback?: Callback | undefined;
  requiresPreparation(): boolean;
  submit(connection: Connection): Error | null;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
};
type Connection = {
  stream: { cork(): void; uncork(): void };
  parse(message: { text: string }): void;
  bind(message: object): void;
  execute(message: object): void;
  query(text: string): void;
};
