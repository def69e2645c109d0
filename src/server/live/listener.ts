import pg from "pg";
import { connectionOptions } from "../db/connection-options.ts";
import type { Database } from "../db/connect.ts";
import { DatabaseClient } from "../db/database-client.ts";

/** The pause before reconnecting. */
const RETRY_MS = 500;

/**
 * A connection that listens on a PostgreSQL channel and reconnects when it is lost. `onNotice` is also called after each
 * (re)connect, because notices sent in the meantime are lost.
 */
export class Listener {
  readonly #database: Database["direct"];
  readonly #channel: string;
  readonly #onNotice: () => void;
  readonly #onError: (error: Error) => void;
  #client: pg.Client | undefined;
  /** The connection while it listens and no check is in flight. */
  #idle: pg.Client | undefined;
  /** Whether the error has been reported since the connection was lost. */
  #isReported = false;
  #connecting: Promise<void>;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(
    database: Database["direct"],
    channel: string,
    onNotice: () => void,
    onError: (error: Error) => void,
  ) {
    this.#database = database;
    this.#channel = channel;
    this.#onNotice = onNotice;
    this.#onError = onError;
    this.#connecting = this.#connect();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    // Closing a connection during authentication would log an error in PostgreSQL.
    await this.#connecting;
    await this.#client?.end().catch(() => {});
  }

  async #connect() {
    const { url, watch } = this.#database;
    const client = new DatabaseClient({
      ...connectionOptions(url),
      application_name: "signalbox live",
      watch,
      settings: {},
      mustWrite: true,
    });
    this.#client = client;
    client.on("notification", this.#onNotice);
    client.on("error", (error) => this.#report(error));
    client.once("end", () => this.#reconnect(client));
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(this.#channel)}`);
      this.#idle = client;
      this.#isReported = false;
      this.#onNotice();
    } catch (error) {
      if (!this.#closed) this.#report(error as Error);
      void client.end().catch(() => {});
      this.#reconnect(client);
    }
  }

  /** Replaces the connection if it no longer works. Listening alone sends nothing, so it would not notice. */
  check(): void {
    const client = this.#idle;
    if (!client) return;
    this.#idle = undefined;
    client.query("select 1").then(
      () => (this.#idle = client),
      () => {},
    );
  }

  #reconnect(client: pg.Client) {
    if (this.#closed || this.#client !== client) return;
    this.#client = undefined;
    this.#idle = undefined;
    this.#retry = setTimeout(() => {
      this.#connecting = this.#connect();
    }, RETRY_MS).unref();
  }

  #report(error: Error) {
    if (!this.#isReported) this.#onError(error);
    this.#isReported = true;
  }
}
