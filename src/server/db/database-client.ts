import type { Socket } from "node:net";
import { callbackify } from "node:util";
import pg from "pg";
import { bindWithoutCopies } from "./bind-without-copies.ts";
import { NoAnswer } from "./probe.ts";
import { setForEachTransaction } from "./query-with-settings.ts";
import type { SilenceWatch } from "./silence-watch.ts";

/** PostgreSQL's settings for a session, such as `statement_timeout`. */
export type Settings = Record<string, string>;

export type ClientOptions = pg.ClientConfig & {
  watch: SilenceWatch;
  settings: Settings;
  /** A connection pooler in transaction mode is in between, so settings are set for each transaction. */
  isShared?: boolean;
  /** Connecting to a read-only database, such as a standby, fails. */
  mustWrite: boolean;
};

/** Makes PostgreSQL notice lost connections as well, and release the locks of their transactions. */
const SERVER_SIDE: Settings = {
  tcp_user_timeout: "15s",
  tcp_keepalives_idle: "10",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3",
};

/** Settings that a connection pooler keeps for each of its clients. */
const KEPT = new Set(["timezone", "datestyle"]);

const READ_ONLY = "25006";

/**
 * A connection with its own settings, which is closed if the database stops answering. Statements may take long, so there is no
 * fixed timeout: `SilenceWatch` decides.
 */
export class DatabaseClient extends pg.Client {
  readonly #watch: SilenceWatch;
  readonly #options: Pick<ClientOptions, "mustWrite" | "isShared">;
  /** Settings for the session. */
  readonly #settings: Settings;
  /** PostgreSQL's process id. Not `processID`, because a connection pooler sends its own number. */
  #pid: number | undefined;
  /** `bytesRead` when PostgreSQL did not work for this connection although it waits for an answer. */
  #bytesWhenForgotten: number | undefined;
  #isEnding = false;

  constructor({ watch, settings, isShared = false, mustWrite, ...config }: ClientOptions) {
    super({ ...config, connectionTimeoutMillis: watch.times.connectMs });
    this.#watch = watch;
    this.#options = { mustWrite, isShared };
    this.#settings = isShared ? pickKept(settings) : { ...SERVER_SIDE, ...settings };
    if (isShared) setForEachTransaction(this, omitKept(settings));
    this.on("error", () => {});
    bindWithoutCopies(this.connection as unknown as Parameters<typeof bindWithoutCopies>[0]);
    this.connection.on("errorMessage", ({ code }: { code?: string }) => {
      if (code === READ_ONLY && mustWrite) watch.abandonAll(readOnly());
    });
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error | null) => void): void;
  override connect(callback?: (error: Error | null) => void): Promise<this> | undefined {
    if (callback === undefined) return this.#open();
    callbackify(() => this.#open())(callback);
    return undefined;
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    this.#isEnding = true;
    this.#socket.setTimeout(this.#watch.times.silentMs);
    if (callback === undefined) return super.end();
    super.end(callback);
    return undefined;
  }

  /** A connection pooler is in between: it sends a process id of its own. */
  get isPooled(): boolean {
    return (this as { processID?: number }).processID !== this.#pid;
  }

  async #open(): Promise<this> {
    const watch = this.#watch;
    if (watch.isSilent) throw new NoAnswer();
    const heardBefore = watch.bytesRead;
    try {
      await super.connect();
    } catch (error) {
      if ((error as Error).message !== "timeout expired") throw error;
      watch.reportFailure(heardBefore);
      throw new NoAnswer();
    }
    const socket = this.#socket;
    const watched = {
      get bytesRead() {
        return socket.bytesRead;
      },
      abandon: (error: Error) => void socket.destroy(error),
    };
    watch.add(watched);
    this.once("end", () => watch.remove(watched));
    // Each read and write restarts the timeout, so it costs nothing while the database answers.
    socket.on("timeout", () => void this.#checkSilence()).setTimeout(watch.times.silentMs);
    try {
      await this.#prepare();
    } catch (error) {
      void this.end();
      throw error;
    }
    return this;
  }

  async #prepare() {
    const set = Object.entries(this.#settings).map(
      ([name, value]) => `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, false)`,
    );
    const { rows } = await this.query<{ pid: number; is_read_only: boolean }>(
      `select ${set.join(", ")}, pg_backend_pid() as pid, current_setting('transaction_read_only')::bool as is_read_only`,
    );
    // On a pooled connection, another PostgreSQL process may execute the next statement.
    if (!this.#options.isShared) this.#pid = rows[0]?.pid;
    if (rows[0]?.is_read_only === true && this.#options.mustWrite) throw readOnly();
  }

  /** Nothing was sent or received for a while. */
  async #checkSilence() {
    const socket = this.#socket;
    if (this.#isEnding) return void socket.destroy();
    if (!this.#isWaiting) return;
    const { bytesRead } = socket;
    // The process is unknown until the connection is prepared, and on pooled connections. Then only the database's silence
    // matters.
    const pid = this.#pid ?? 0;
    const isWorking = (await this.#watch.isWorking(pid).catch(() => true)) || pid === 0;
    if (!this.#isWaiting || socket.destroyed) return;
    if (isWorking || socket.bytesRead !== bytesRead) this.#bytesWhenForgotten = undefined;
    // An answer may have been on its way while the watch asked, so only the second time in a row counts.
    else if (this.#bytesWhenForgotten === bytesRead) return void socket.destroy(new NoAnswer());
    else this.#bytesWhenForgotten = bytesRead;
    socket.setTimeout(this.#watch.times.silentMs);
  }

  /** Waits for PostgreSQL's answer, and reads what arrives. */
  get #isWaiting(): boolean {
    return !(this as { readyForQuery?: boolean }).readyForQuery && !this.#socket.isPaused();
  }

  get #socket(): Socket {
    return this.connection.stream as Socket;
  }
}

const pickKept = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => KEPT.has(name)));
const omitKept = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !KEPT.has(name)));

const readOnly = () => Object.assign(new Error("The database is read-only."), { code: READ_ONLY });
