import pg from "pg";
import { connectionOptions } from "./connection-options.ts";

/** The database did not answer in time. As after a lost connection, the statement may or may not have been executed. */
export class NoAnswer extends Error {
  readonly code = "ETIMEDOUT";
  constructor() {
    super("The database does not answer.");
  }
}

/** One connection for short questions to the database, opened when needed. */
export class Probe {
  readonly #pool: pg.Pool;
  readonly #deadlineMs: number;

  constructor(url: string, application_name: string, deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
    this.#pool = new pg.Pool({
      ...connectionOptions(url),
      application_name,
      max: 1,
      connectionTimeoutMillis: deadlineMs,
    });
    this.#pool.on("error", () => {});
    this.#pool.on("connect", (client) => client.on("error", () => {}));
  }

  /**
   * Throws NoAnswer if connecting and the query take longer than the deadline. Any error closes the connection, also one
   * that `verify` throws: the next query may reach another server.
   */
  async query<Row extends pg.QueryResultRow>(
    text: string,
    values: unknown[] = [],
    verify: (rows: Row[]) => void = () => {},
  ): Promise<Row[]> {
    const startedAt = performance.now();
    const client = (await this.#pool.connect()) as pg.PoolClient & Pick<pg.Client, "connection">;
    let isAnswered = false;
    let isGood = false;
    const giveUp = () => isAnswered || client.connection.stream.destroy(new NoAnswer());
    const leftMs = Math.max(0, this.#deadlineMs - (performance.now() - startedAt));
    // If this process was busy, the answer may already have arrived, so read it first.
    const timer = setTimeout(() => setImmediate(giveUp), leftMs);
    try {
      const { rows } = await client.query<Row>(text, values);
      verify(rows);
      isGood = true;
      return rows;
    } finally {
      isAnswered = true;
      clearTimeout(timer);
      client.release(!isGood);
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}
