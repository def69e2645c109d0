import { Agent } from "node:http";
import type { AllowedHosts } from "../../config/allowed-hosts.ts";
import type { Db } from "../../db/connect.ts";
import { readRetryAfter } from "../../integrations/webhooks/send/read-retry-after.ts";
import {
  sendRequest,
  type Outcome,
  type SendOptions,
} from "../../integrations/webhooks/send/send-request.ts";
import { watchLoop } from "./watch-loop.ts";
import { withDsn } from "./forwarded-request.ts";
import { ForwardingCounter, type Destination } from "./forwarding-counter.ts";
import { RelayQueue, type Line, type QueuedEnvelope } from "./relay-queue.ts";

const MAX_IN_FLIGHT = 50;
const MAX_PER_LINE = 4;

/** After this many attempts without an answer, the envelope itself may be the reason. */
const MAX_ATTEMPTS = 5;

/** Milliseconds until the next attempt after a failure; each further failure doubles them. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** Statuses with which a server or a proxy asks for less, or says that it is not running. */
const PAUSING = new Set([429, 502, 503, 504]);

/** Milliseconds. */
const BUSY_PAUSE_MS = 100;

const KEEP_ALIVE = { keepAlive: true, maxFreeSockets: MAX_PER_LINE, timeout: 5_000 };

type Options = {
  allowed: AllowedHosts;
  onError: (error: Error) => void;
  lookUp?: SendOptions["lookUp"];
  /** How long the other server may take until it answers. */
  answerMs?: number;
  firstPauseMs?: number;
  /** Whether the process has no time left for copies. */
  isBusy?: () => boolean;
};

/**
 * Sends accepted envelopes to other servers, too. They wait in memory, so that nothing else depends on those servers. While one of them
 * does not answer or asks for less, its envelopes wait, and are tried one at a time. While this process is busy, hardly any are sent, and
 * the oldest that wait are dropped.
 */
export class Relay {
  readonly #db: Db;
  readonly #options: Options;
  readonly #counter: ForwardingCounter;
  readonly #queue = new RelayQueue();
  readonly #agents = new Map<string, Promise<Agent>>();
  readonly #stop = new AbortController();
  readonly #isBusy: () => boolean;
  /** Sends while the process is busy. */
  #later: NodeJS.Timeout | undefined;
  #inFlight = 0;
  #isClosing = false;
  #onIdle: (() => void) | undefined;

  constructor(db: Db, options: Options) {
    this.#db = db;
    this.#options = options;
    this.#counter = new ForwardingCounter(db, options.onError);
    this.#isBusy = options.isBusy ?? watchLoop();
  }

  /** How much is in memory. */
  get load(): { envelopes: number; bytes: number } {
    return { envelopes: this.#queue.size, bytes: this.#queue.bytes };
  }

  /** Sends the envelope soon. Never throws or waits. */
  forward(envelope: Omit<QueuedEnvelope, "attempts" | "isInFlight">): void {
    if (this.#isClosing) return this.#counter.count(envelope.destination, "dropped");
    const { line, dropped } = this.#queue.add({ ...envelope, attempts: 0, isInFlight: false });
    for (const { destination } of dropped) this.#counter.count(destination, "dropped");
    this.#sendNext(line);
    this.#queue.forgetIfEmpty(line);
  }

  /** Sends what waits for at most `ms`, except to servers that do not accept it now. The rest is dropped. */
  async close(ms: number): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#later);
    for (const line of this.#queue.lines.values()) this.#sendNext(line);
    const idle = new Promise<void>((resolve) => (this.#onIdle = resolve));
    const timer = setTimeout(() => this.#onIdle?.(), ms);
    if (this.#inFlight > 0) await idle;
    clearTimeout(timer);
    this.#stop.abort();
    for (const line of this.#queue.lines.values()) {
      clearTimeout(line.timer);
      for (const { destination } of line.envelopes) this.#counter.count(destination, "dropped");
    }
    for (const agent of this.#agents.values()) (await agent).destroy();
    await this.#counter.close();
  }

  #sendNext(line: Line): void {
    if (!this.#isClosing && this.#isBusy()) this.#sendLater();
    else this.#sendUpTo(line, line.failures > 0 ? 1 : MAX_PER_LINE);
  }

  /** While the process is busy, a server gets at most one envelope in each of these times. */
  #sendLater(): void {
    this.#later ??= setTimeout(() => {
      this.#later = undefined;
      for (const line of this.#queue.lines.values()) {
        this.#sendUpTo(line, 1);
        if (line.envelopes.size > line.inFlight) this.#sendNext(line);
      }
    }, BUSY_PAUSE_MS);
  }

  #sendUpTo(line: Line, most: number): void {
    for (const envelope of line.envelopes) {
      const isFull = line.inFlight >= most || this.#inFlight >= MAX_IN_FLIGHT;
      if (isFull || line.timer !== undefined || this.#stop.signal.aborted) return;
      if (!envelope.isInFlight) void this.#send(line, envelope);
    }
  }

  async #send(line: Line, envelope: QueuedEnvelope): Promise<void> {
    envelope.isInFlight = true;
    envelope.attempts++;
    line.inFlight++;
    this.#inFlight++;
    const outcome = await this.#attempt(envelope);
    envelope.isInFlight = false;
    line.inFlight--;
    this.#inFlight--;
    // Otherwise what waits is counted as dropped.
    if (this.#stop.signal.aborted) return;
    this.#settle(line, envelope, outcome);
    for (const other of this.#queue.lines.values()) this.#sendNext(other);
    if (this.#inFlight === 0) this.#onIdle?.();
  }

  async #attempt({
    body: sent,
    namesDsn,
    destination,
    ...envelope
  }: QueuedEnvelope): Promise<Outcome | undefined> {
    const { allowed, lookUp, answerMs = 10_000 } = this.#options;
    try {
      const request = envelope.request();
      const body = namesDsn
        ? await withDsn(sent, request.headers["content-encoding"], destination.dsn)
        : sent;
      const options = { allowed, headersMs: answerMs, bodyMs: 1_000, agentFor: this.#agentFor };
      return await sendRequest(
        { ...request, body },
        { ...options, ...(lookUp && { lookUp }) },
        this.#stop.signal,
      );
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#options.onError(error as Error);
      return undefined;
    }
  }

  #settle(line: Line, envelope: QueuedEnvelope, outcome: Outcome | undefined): void {
    const { destination } = envelope;
    const status = outcome?.status_code ?? null;
    if (status !== null && status >= 200 && status < 300) {
      line.failures = 0;
      this.#counter.count(destination, "sent");
      return this.#queue.remove(envelope);
    }
    this.#counter.noteError(
      destination,
      status === null ? (outcome?.error ?? "protocol") : `status ${status}`,
    );
    const isTemporary = status === null || PAUSING.has(status);
    if (isTemporary) this.#pause(line, readRetryAfter(outcome?.retry_after));
    else line.failures = 0;
    // A server that asks for less gets all of them later.
    if (isTemporary && (status === 429 || envelope.attempts < MAX_ATTEMPTS)) return;
    this.#counter.count(destination, "failed");
    this.#queue.remove(envelope);
  }

  #pause(line: Line, retryAfter: number | undefined): void {
    const { firstPauseMs = FIRST_PAUSE_MS } = this.#options;
    const backoff = Math.min(firstPauseMs * 2 ** line.failures, MAX_PAUSE_MS);
    // Several that were in flight at the same time fail for the same reason.
    if (line.timer === undefined) line.failures++;
    clearTimeout(line.timer);
    const now = performance.now();
    line.pausedUntil = Math.max(
      line.pausedUntil,
      now + (retryAfter === undefined ? backoff : retryAfter * 1_000),
    );
    line.timer = setTimeout(() => void this.#resume(line), line.pausedUntil - now).unref();
  }

  /** Meanwhile the project may have another DSN, or none. */
  async #resume(line: Line): Promise<void> {
    const isWanted = await this.#isWanted(line.destination);
    line.timer = undefined;
    if (isWanted) this.#sendNext(line);
    else for (const envelope of line.envelopes) this.#queue.remove(envelope);
    this.#queue.forgetIfEmpty(line);
  }

  async #isWanted({ projectId, dsn }: Destination): Promise<boolean> {
    try {
      const project = await this.#db
        .selectFrom("projects")
        .select("id")
        .where("id", "=", projectId)
        .where("forward_dsn", "=", dsn)
        .where("deleted_at", "is", null)
        .executeTakeFirst();
      return project !== undefined;
    } catch (error) {
      this.#options.onError(error as Error);
      return true;
    }
  }

  readonly #agentFor = ({ protocol }: URL): Promise<Agent> => {
    let agent = this.#agents.get(protocol);
    if (!agent) {
      agent = openAgent(protocol);
      this.#agents.set(protocol, agent);
    }
    return agent;
  };
}

/** Node's TLS takes 2 MB, and many installations forward nothing. */
const openAgent = async (protocol: string): Promise<Agent> =>
  protocol === "https:" ? new (await import("node:https")).Agent(KEEP_ALIVE) : new Agent(KEEP_ALIVE);
