import { setTimeout as pause } from "node:timers/promises";
import { Batcher } from "../batching/batcher.ts";
import { START_CONNECT_MS } from "./connection-options.ts";
import { NoAnswer, Probe } from "./probe.ts";

export type WatchTimes = {
  /** How long connecting may take. */
  connectMs: number;
  /** How long a connection may wait for an answer until the watch asks whether the database works on it. */
  silentMs: number;
  /** How long the database may take to answer the watch. */
  answerMs: number;
  /** The pause between two attempts to reach a silent database. */
  retryMs: number;
};

/** Requests fail within 5 seconds after the database falls silent, and succeed again within 5 seconds of its return. */
export const WATCH_TIMES: WatchTimes = { connectMs: 3_000, silentMs: 1_500, answerMs: 2_000, retryMs: 500 };

/** For work of hours, which a short interruption should not end. */
export const LONG_WORK_TIMES: WatchTimes = {
  connectMs: START_CONNECT_MS,
  silentMs: 15_000,
  answerMs: 15_000,
  retryMs: 500,
};

/** A connection, as the watch sees it. */
export type Watched = { readonly bytesRead: number; abandon(error: Error): void };

/**
 * Detects a silent database: it is paused, or the network drops packets, and no connection reports an error. Statements may
 * take long, so a waiting connection stays open while PostgreSQL works for it. If no connection receives anything from the
 * database, all connections are closed, and new ones fail immediately until it answers again.
 */
export class SilenceWatch {
  readonly times: WatchTimes;
  readonly #probe: Probe;
  readonly #connections = new Set<Watched>();
  readonly #states: Batcher<number, boolean>;
  #bytesOfClosed = 0;
  #isSilent = false;
  #isClosed = false;

  constructor(url: string, times: WatchTimes = WATCH_TIMES) {
    this.times = times;
    this.#probe = new Probe(url, "signalbox watch", times.answerMs);
    this.#states = new Batcher((pids) => this.#areWorking(pids), { maxItems: 1_000 });
  }

  /** Whether the database failed to answer and has not answered since. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** The number of bytes that all connections have received so far. */
  get bytesRead(): number {
    let sum = this.#bytesOfClosed;
    for (const connection of this.#connections) sum += connection.bytesRead;
    return sum;
  }

  add(connection: Watched): void {
    this.#connections.add(connection);
  }

  remove(connection: Watched): void {
    if (this.#connections.delete(connection)) this.#bytesOfClosed += connection.bytesRead;
  }

  /** Whether the PostgreSQL process is executing a statement. Throws if this cannot be determined. */
  async isWorking(pid: number): Promise<boolean> {
    const before = this.bytesRead;
    try {
      return await this.#states.add(pid);
    } catch (error) {
      if (!isAnswer(error)) this.reportFailure(before);
      throw error;
    }
  }

  /** Call when connecting or asking failed. If no connection has received anything since `before`, the database is silent. */
  reportFailure(before: number): void {
    if (this.#isSilent || this.#isClosed || this.bytesRead !== before) return;
    this.#isSilent = true;
    this.abandonAll(new NoAnswer());
    void this.#untilAnswered();
  }

  /** Closes every connection without waiting for the database. */
  abandonAll(error: Error): void {
    for (const connection of this.#connections) connection.abandon(error);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#probe.close();
  }

  async #areWorking(pids: number[]): Promise<boolean[]> {
    const rows = await this.#probe.query<{ pid: number }>(WORKING, [pids]);
    const working = new Set(rows.map((row) => row.pid));
    return pids.map((pid) => working.has(pid));
  }

  async #untilAnswered() {
    while (this.#isSilent && !this.#isClosed) {
      await pause(this.times.retryMs, undefined, { ref: false });
      this.#isSilent = await this.#probe.query("select 1").then(
        () => false,
        (error: unknown) => !isAnswer(error),
      );
    }
  }
}

/** An error that PostgreSQL sent, such as "too many connections". */
const isAnswer = (error: unknown) => (error as { severity?: string }).severity !== undefined;

/** States are unknown if the server does not track them. */
const WORKING = `
select pid from pg_stat_activity
where pid = any($1) and coalesce(state, '') not in ('idle', 'idle in transaction', 'idle in transaction (aborted)')`;
