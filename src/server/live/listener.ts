import pg from "pg";
import { connectionOptions } from "../db/connect.ts";

/** The pause before reconnecting. */
const RETRY_MS = 500;

/**
 * A connection that listens on a PostgreSQL channel and reconnects when it is lost. `onNotice` is also called after each
 * (re)connect, because notices sent in the meantime are lost.
 */
export class Listener {
  readonly #url: string;
  readonly #channel: string;
  readonly #onNotice: () => void;
  readonly #onError: (error: Error) => void;
  #client: pg.Client | undefined;
  #connecting: Promise<void>;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(url: string, channel: string, onNotice: () => void, onError: (error: Error) => void) {
    this.#url = url;
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
    const client = new pg.Client({
      ...connectionOptions(this.#url),
      application_name: "signalbox live",
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    this.#client = client;
    client.on("notification", this.#onNotice);
    client.on("error", this.#onError);
    client.once("end", () => this.#reconnect(client));
    try {
      await client.connect();
      await client.query(`listen ${pg.escapeIdentifier(this.#channel)}`);
      this.#onNotice();
    } catch (error) {
      if (!this.#closed) this.#onError(error as Error);
      void client.end().catch(() => {});
      this.#reconnect(client);
    }
  }

  #reconnect(client: pg.Client) {
    if (this.#closed || this.#client !== client) return;
    this.#client = undefined;
    this.#retry = setTimeout(() => {
      this.#connecting = this.#connect();
    }, RETRY_MS).unref();
  }
}
