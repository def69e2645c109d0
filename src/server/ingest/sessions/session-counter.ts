import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { EverySecond } from "../../batching/every-second.ts";
import type { Db } from "../../db/connect.ts";
import type { UsageCounter } from "../../record/usage-counter.ts";
import { readSessions } from "./read-sessions.ts";
import { RecentUpdates } from "./recent-updates.ts";
import { SessionWindow, type Sender } from "./session-window.ts";

const EVERY_MS = 10_000;

/** Ten minutes. */
const MAX_ATTEMPTS = 60;

/** The most rows with users of a release, environment and day. The error of a sample of half as many is about 1 %. */
const MAX_USER_ROWS = 20_000;

/** About as much as the database needs for an hour, a failed session or a user. */
const ROW_BYTES = 100;

type Options = {
  usage: UsageCounter;
  everyMs?: number;
  maxUserRows?: number;
  onError?: (error: Error) => void;
};

/** A session item of an envelope. */
type SessionItem = { header: { readonly [name: string]: unknown }; payload: Buffer };

/**
 * Counts sessions in memory, and writes all counts with one statement every ten seconds. If the process is killed, the counts of its last
 * ten seconds are lost. While a write fails, it is repeated, and what arrives in the meantime waits for the next one.
 */
export class SessionCounter {
  readonly #db: Db;
  readonly #usage: UsageCounter;
  readonly #maxUserRows: number;
  readonly #onError: (error: Error) => void;
  readonly #recent = new RecentUpdates();
  readonly #timer: EverySecond;
  #window = new SessionWindow();
  /** A write that failed, or whose response was lost. */
  #unwritten: { id: string; counted: string; attempts: number } | undefined;

  constructor(
    db: Db,
    { usage, everyMs = EVERY_MS, maxUserRows = MAX_USER_ROWS, onError = () => {} }: Options,
  ) {
    this.#db = db;
    this.#usage = usage;
    this.#maxUserRows = maxUserRows;
    this.#onError = onError;
    this.#timer = new EverySecond(() => this.#write(), { everyMs });
  }

  /** Counts the sessions of an envelope, and those that cannot be counted as discarded. */
  add(sender: Sender, items: readonly SessionItem[]): void {
    const { projectId } = sender;
    let discarded = 0;
    for (const item of items) if (!this.#addItem(sender, item)) discarded++;
    this.#usage.add(projectId, "discarded", discarded);
    if (!this.#window.isEmpty) this.#timer.schedule();
  }

  #addItem(sender: Sender, { header, payload }: SessionItem): boolean {
    const { projectId } = sender;
    const sessions = readSessions(header["type"], payload, Date.now());
    if (!sessions) return false;
    const { update } = sessions;
    if (update && !this.#recent.add(projectId, update.id, update.mark)) return true;
    return this.#window.add(sender, sessions, !this.#usage.isStorageFull(projectId));
  }

  /** Writes what has been counted so far. */
  close(): Promise<void> {
    return this.#timer.close();
  }

  async #write(): Promise<void> {
    try {
      await this.#writeAgain();
      if (this.#window.isEmpty) return;
      this.#unwritten = { id: randomUUID(), counted: this.#window.toJson(), attempts: 0 };
      this.#window = new SessionWindow();
      await this.#writeAgain();
    } catch (error) {
      this.#onError(error as Error);
      this.#timer.schedule();
    }
  }

  async #writeAgain(): Promise<void> {
    const write = this.#unwritten;
    if (!write) return;
    // Whatever the reason is, later counts must not wait forever.
    if (++write.attempts >= MAX_ATTEMPTS) this.#unwritten = undefined;
    // The first call may only add new releases.
    if (!(await this.#send(write))) await this.#send(write);
    this.#unwritten = undefined;
  }

  async #send({ id, counted }: { id: string; counted: string }): Promise<boolean> {
    const { rows } = await sql<{ of_project: number | null; added_rows: number }>`
      select * from add_sessions(${id}, ${counted}, ${this.#maxUserRows})`.execute(this.#db);
    for (const { of_project, added_rows } of rows) {
      if (of_project === null) return false;
      this.#usage.add(of_project, "stored_bytes", added_rows * ROW_BYTES);
    }
    return true;
  }
}
