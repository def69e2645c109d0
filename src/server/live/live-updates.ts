import type { FastifyBaseLogger } from "fastify";
import type { ServerResponse } from "node:http";
import type { Caller } from "../access/caller.ts";
import type { Database } from "../db/connect.ts";
import { overloaded } from "../answers/errors.ts";
import { changesOfLast, changesSince, currentPosition, readPosition, type Position } from "./change-log.ts";
import { validCallers } from "./valid-callers.ts";
import { Listener } from "./listener.ts";
import { receiversOf, type MayReceive } from "./receivers.ts";
import { CHANGES_CHANNEL, type LiveChange } from "../record/live-changes.ts";
import { StreamLimit } from "./stream-limit.ts";
import { MAX_AT_ONCE, Stream } from "./stream.ts";

export type LiveOptions = {
  /** How often credentials are checked, and the table is read in case a notice was lost. */
  checkMs: number;
  heartbeatMs: number;
  /** Bytes buffered for a slow client before its stream is closed. */
  maxBuffered: number;
  /** Streams per credential in this process. */
  maxStreams: number;
  /** Streams per user in this process, over all of their credentials, because a user can create any number of these. */
  maxStreamsOfUser: number;
};

/** Where a stream starts: after the event `lastId`, or `seconds` ago, or now if neither is given. */
type Start = { lastId?: string | undefined; seconds?: number | undefined };

const DEFAULTS: LiveOptions = {
  checkMs: 3_000,
  heartbeatMs: 20_000,
  maxBuffered: 256 * 1024,
  maxStreams: 10,
  maxStreamsOfUser: 1_000,
};

/** Notices within this time are handled by one query. */
const DEBOUNCE_MS = 50;

/**
 * Sends clients the changes of all processes. PostgreSQL's notices wake this process, which then reads the changes after
 * its position. All work is serialized in one promise chain, so that no client misses or repeats a change.
 */
export class LiveUpdates {
  readonly #database: Database;
  readonly #log: FastifyBaseLogger;
  readonly #options: LiveOptions;
  readonly #streams = new Set<Stream>();
  readonly #limit: StreamLimit;
  readonly #limitOfUser: StreamLimit;
  #position: Position | undefined;
  #checkedAt = 0;
  #queue: Promise<unknown> = Promise.resolve();
  #isScheduled = false;
  #running: { listener: Listener; timers: NodeJS.Timeout[] } | undefined;
  #closed = false;

  constructor(database: Database, log: FastifyBaseLogger, options: Partial<LiveOptions> = {}) {
    this.#database = database;
    this.#log = log;
    this.#options = { ...DEFAULTS, ...options };
    this.#limit = new StreamLimit(this.#options.maxStreams, "This credential");
    this.#limitOfUser = new StreamLimit(this.#options.maxStreamsOfUser, "This user");
  }

  /**
   * Turns the response into a stream of changes. 429 if the credential or the user has too many streams, 503 while the
   * server shuts down.
   */
  async open(caller: Caller, response: ServerResponse, headers: Record<string, string>, start: Start = {}) {
    if (this.#closed) throw overloaded();
    if (response.destroyed) return;
    this.#limit.take(caller.key, response);
    this.#limitOfUser.take(caller.user_id, response);
    this.#startListening();
    const stream = new Stream(caller, response, this.#options.maxBuffered);
    await this.#enqueue(() => this.#begin(stream, headers, start));
    response.once("close", () => this.#streams.delete(stream));
    if (!stream.isOpen) this.#streams.delete(stream);
  }

  /** The number of open streams. */
  get size(): number {
    return this.#streams.size;
  }

  /** Ends every stream and accepts no new ones. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const stream of this.#streams) stream.end();
    for (const timer of this.#running?.timers ?? []) clearInterval(timer);
    await this.#running?.listener.close();
    await this.#queue;
    for (const stream of this.#streams) stream.end();
  }

  /** Called for the first stream: a process without streams keeps no connection to PostgreSQL. */
  #startListening() {
    if (this.#running) return;
    const { checkMs, heartbeatMs } = this.#options;
    const listener = new Listener(
      this.#database.direct,
      CHANGES_CHANNEL,
      () => this.#scheduleSoon(),
      (error) => this.#warn(error),
    );
    const check = () => {
      listener.check();
      this.#scheduleRead(true);
    };
    this.#running = {
      listener,
      timers: [
        setInterval(check, checkMs).unref(),
        setInterval(() => this.#sendHeartbeats(), heartbeatMs).unref(),
      ],
    };
  }

  #scheduleSoon() {
    if (this.#isScheduled || this.#streams.size === 0) return;
    this.#isScheduled = true;
    setTimeout(() => {
      this.#isScheduled = false;
      this.#scheduleRead();
    }, DEBOUNCE_MS).unref();
  }

  #scheduleRead(mustCheck = false) {
    if (this.#closed || this.#streams.size === 0) return;
    // After a failure the position is unchanged, so the next read covers these changes too.
    this.#enqueue(() => this.#sendChanges(mustCheck)).catch((error: Error) => this.#warn(error));
  }

  async #begin(stream: Stream, headers: Record<string, string>, { lastId, seconds }: Start) {
    const { db } = this.#database;
    if (this.#streams.size === 0) this.#position = undefined;
    const position = (this.#position ??= await currentPosition(db));
    const since = lastId === undefined ? position : readPosition(lastId);
    let missed: LiveChange[] | undefined = [];
    if (lastId !== undefined) missed = since && (await this.#changesBetween(since, position));
    else if (seconds !== undefined) missed = await changesOfLast(db, seconds, position, MAX_AT_ONCE);
    const mayReceive = await receiversOf(db, missed ?? [], [stream.caller.user_id]);
    // During the queries, the client may have disconnected or the server may have begun to stop.
    if (!stream.isOpen) return;
    if (this.#closed) throw overloaded();
    stream.begin(headers, since && missed ? since : position);
    if (!missed) stream.reset(position);
    else {
      stream.send(changesFor(stream, distinct(missed), mayReceive), position);
      stream.sendHeartbeat(position);
    }
    this.#streams.add(stream);
  }

  /** Undefined if `since` is too long ago or not a snapshot of this database. */
  async #changesBetween(since: Position, until: Position): Promise<LiveChange[] | undefined> {
    try {
      return (await changesSince(this.#database.db, since, until)).changes;
    } catch (error) {
      if ((error as { code?: string }).code?.startsWith("22")) return undefined;
      throw error;
    }
  }

  async #sendChanges(mustCheck: boolean) {
    if (this.#position === undefined) return;
    if (mustCheck || performance.now() - this.#checkedAt > this.#options.checkMs)
      await this.#endInvalidStreams();
    const { position, changes } = await changesSince(this.#database.db, this.#position);
    const userIds = new Set([...this.#streams].map((stream) => stream.caller.user_id));
    const mayReceive = await receiversOf(this.#database.db, changes ?? [], [...userIds]);
    const distinctChanges = changes && distinct(changes);
    for (const stream of this.#streams)
      if (distinctChanges) stream.send(changesFor(stream, distinctChanges, mayReceive), position);
      else stream.reset(position);
    this.#position = position;
  }

  /** Ends the streams whose credential was revoked or has expired. */
  async #endInvalidStreams() {
    const now = performance.now();
    const streams = [...this.#streams];
    const valid = await validCallers(
      this.#database.db,
      streams.map((stream) => stream.caller),
    );
    for (const stream of streams) {
      if (valid.has(stream.caller)) continue;
      this.#streams.delete(stream);
      stream.end();
    }
    this.#checkedAt = now;
  }

  #sendHeartbeats() {
    if (this.#position) for (const stream of this.#streams) stream.sendHeartbeat(this.#position);
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => {});
    return done;
  }

  #warn(error: Error) {
    if (!this.#closed) this.#log.warn({ err: error }, "live updates were interrupted");
  }
}

const changesFor = (stream: Stream, changes: LiveChange[], mayReceive: MayReceive) =>
  changes.filter((change) => mayReceive(change, stream.caller));

/** Keeps one change per changed item and recipient. */
function distinct(changes: LiveChange[]): LiveChange[] {
  const byKey = new Map<string, LiveChange>();
  for (const change of changes) {
    const { kind, id, user_id } = change;
    byKey.set(`${kind} ${id} ${user_id ?? ""}`, change);
  }
  return [...byKey.values()];
}
