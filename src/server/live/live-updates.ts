import type { FastifyBaseLogger } from "fastify";
import type { ServerResponse } from "node:http";
import type { Caller } from "../access/caller.ts";
import type { Database } from "../db/connect.ts";
import { HttpError, overloaded } from "../answers/errors.ts";
import { changesSince, currentPosition, readPosition, type Position } from "./change-log.ts";
import { stillValid } from "./still-valid.ts";
import { Listener } from "./listener.ts";
import { receiversOf, type MayReceive } from "./receivers.ts";
import { CHANGES_CHANNEL, type LiveChange } from "../record/live-changes.ts";
import { Stream } from "./stream.ts";

export type LiveOptions = {
  /** How often credentials are looked at again; also a look at the table, should a notice have been lost. */
  checkMs: number;
  beatMs: number;
  /** Bytes that may wait for a slow reader. */
  mostBuffered: number;
  /** Streams of one credential in this process. */
  mostStreams: number;
};

const DEFAULTS: LiveOptions = { checkMs: 3_000, beatMs: 20_000, mostBuffered: 256 * 1024, mostStreams: 10 };

/** Notices that come within this time are answered by one look at the table. */
const GATHER_MS = 50;

/**
 * Tells listeners what changed, whichever process changed it: notices of the database wake this one, and it reads what
 * its position has not seen. Everything happens in one line, one step after the other, so that no listener misses or
 * repeats anything.
 */
export class LiveUpdates {
  readonly #database: Database;
  readonly #log: FastifyBaseLogger;
  readonly #options: LiveOptions;
  readonly #streams = new Set<Stream>();
  /** By credential, those that are being opened among them. */
  readonly #counts = new Map<string, number>();
  #position: Position | undefined;
  #checkedAt = 0;
  #line: Promise<unknown> = Promise.resolve();
  #woken = false;
  #running: { listener: Listener; timers: NodeJS.Timeout[] } | undefined;
  #closed = false;

  constructor(database: Database, log: FastifyBaseLogger, options: Partial<LiveOptions> = {}) {
    this.#database = database;
    this.#log = log;
    this.#options = { ...DEFAULTS, ...options };
  }

  /**
   * Makes the response a stream of changes from now on; with the id of the last event somebody saw, from there on.
   * 429 when the credential has too many, 503 while the server stops.
   */
  async open(caller: Caller, response: ServerResponse, headers: Record<string, string>, lastId?: string) {
    if (this.#closed) throw overloaded();
    // Who left meanwhile is not counted: `close`, which would take it back, has been.
    if (response.destroyed) return;
    this.#count(caller.key, response);
    this.#start();
    const stream = new Stream(caller, response, this.#options.mostBuffered);
    await this.#inLine(() => this.#admit(stream, headers, lastId));
    response.once("close", () => this.#streams.delete(stream));
    if (!stream.isOpen) this.#streams.delete(stream);
  }

  /** Streams that are open. */
  get size(): number {
    return this.#streams.size;
  }

  /** Ends every stream; from then on none is opened. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const stream of this.#streams) stream.end();
    for (const timer of this.#running?.timers ?? []) clearInterval(timer);
    await this.#running?.listener.close();
    await this.#line;
    for (const stream of this.#streams) stream.end();
  }

  #count(key: string, response: ServerResponse) {
    const count = this.#counts.get(key) ?? 0;
    const { mostStreams } = this.#options;
    if (count >= mostStreams) throw tooManyStreams(mostStreams);
    this.#counts.set(key, count + 1);
    response.once("close", () => {
      const left = (this.#counts.get(key) ?? 1) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    });
  }

  /** With the first listener; a process without any keeps no connection. */
  #start() {
    if (this.#running) return;
    const { checkMs, beatMs } = this.#options;
    this.#running = {
      listener: new Listener(
        this.#database.url,
        CHANGES_CHANNEL,
        () => this.#wake(),
        (error) => this.#warn(error),
      ),
      timers: [
        setInterval(() => this.#step(true), checkMs).unref(),
        setInterval(() => this.#beat(), beatMs).unref(),
      ],
    };
  }

  #wake() {
    if (this.#woken || this.#streams.size === 0) return;
    this.#woken = true;
    setTimeout(() => {
      this.#woken = false;
      this.#step();
    }, GATHER_MS).unref();
  }

  #step(isTime = false) {
    if (this.#closed || this.#streams.size === 0) return;
    // What failed is made up for by the next step: the position has not moved.
    this.#inLine(() => this.#look(isTime)).catch((error: Error) => this.#warn(error));
  }

  async #admit(stream: Stream, headers: Record<string, string>, lastId: string | undefined) {
    const { db } = this.#database;
    if (this.#streams.size === 0) this.#position = undefined;
    const position = (this.#position ??= await currentPosition(db));
    const since = lastId === undefined ? position : readPosition(lastId);
    const missed = lastId === undefined ? [] : since && (await this.#missed(since, position));
    const mayReceive = await receiversOf(db, missed ?? [], [stream.caller.user_id]);
    // Both may have come while the database was asked.
    if (!stream.isOpen) return;
    if (this.#closed) throw overloaded();
    stream.begin(headers, since && missed ? since : position);
    if (!missed) stream.reset(position);
    else {
      stream.tell(heardBy(stream, distinct(missed), mayReceive), position);
      stream.beat(position);
    }
    this.#streams.add(stream);
  }

  /** undefined: too long ago, or no snapshot of this database. */
  async #missed(since: Position, until: Position): Promise<LiveChange[] | undefined> {
    try {
      return (await changesSince(this.#database.db, since, until)).changes;
    } catch (error) {
      if ((error as { code?: string }).code?.startsWith("22")) return undefined;
      throw error;
    }
  }

  async #look(isTime: boolean) {
    if (this.#position === undefined) return;
    if (isTime || performance.now() - this.#checkedAt > this.#options.checkMs) await this.#check();
    const { position, changes } = await changesSince(this.#database.db, this.#position);
    const listeners = new Set([...this.#streams].map((stream) => stream.caller.user_id));
    const mayReceive = await receiversOf(this.#database.db, changes ?? [], [...listeners]);
    const once = changes && distinct(changes);
    for (const stream of this.#streams)
      if (once) stream.tell(heardBy(stream, once, mayReceive), position);
      else stream.reset(position);
    this.#position = position;
  }

  /** Nothing is told to anybody whose credential was not looked at in the last moments. */
  async #check() {
    const now = performance.now();
    const streams = [...this.#streams];
    const valid = await stillValid(
      this.#database.db,
      streams.map((stream) => stream.caller),
    );
    for (const stream of streams) {
      if (valid.has(stream.caller.key)) continue;
      this.#streams.delete(stream);
      stream.end();
    }
    this.#checkedAt = now;
  }

  #beat() {
    if (this.#position) for (const stream of this.#streams) stream.beat(this.#position);
  }

  #inLine<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#line.then(work);
    this.#line = done.catch(() => {});
    return done;
  }

  #warn(error: Error) {
    if (!this.#closed) this.#log.warn({ err: error }, "live updates were interrupted");
  }
}

const heardBy = (stream: Stream, changes: LiveChange[], mayReceive: MayReceive) =>
  changes.filter((change) => mayReceive(change, stream.caller.user_id));

/** What changed several times is told once. */
function distinct(changes: LiveChange[]): LiveChange[] {
  const byKey = new Map<string, LiveChange>();
  for (const change of changes) {
    const { kind, id, user_id } = change;
    byKey.set(`${kind} ${id} ${user_id ?? ""}`, change);
  }
  return [...byKey.values()];
}

const tooManyStreams = (most: number) =>
  new HttpError(429, `There are ${most} streams of this credential already.`, {}, { "retry-after": "5" });
