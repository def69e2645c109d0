import type { ServerResponse } from "node:http";
import type { FastifyBaseLogger } from "fastify";
import type { Authority } from "../../access/authority.ts";
import type { RequestSlots } from "../../access/request-limits.ts";
import { describeError } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";
import type { DirectAnswer } from "../../http/answer-directly.ts";
import type { Metrics } from "../../http/metrics.ts";
import { outcomeOf } from "../../http/observe-requests.ts";
import type { RateLimiter } from "../../http/rate-limit.ts";
import { addInFlight, hasRoomInFlight } from "../../http/bytes-in-flight.ts";
import { readSmallBody } from "../../http/read-small-body.ts";
import { logIfNotable } from "../../http/request-log.ts";
import type { UsageCounter } from "../../record/usage-counter.ts";
import { freeBuffer } from "../error-events/free-buffer.ts";
import type { Ingestion } from "../error-events/ingestion.ts";
import { readEvent } from "../error-events/read-event.ts";
import { keepIfAwaited } from "../reports/keep-event.ts";
import { isInvalid } from "../usage/count-refusals.ts";
import { knownSender, ROUTE, type KnownSender } from "./known-sender.ts";

type Options = {
  db: Db;
  authority: Authority;
  limiter: RateLimiter;
  /** Events per minute of a credential. */
  limit: number;
  slots: RequestSlots;
  ingestion: Ingestion;
  usage: UsageCounter;
  metrics: Metrics;
  logger: FastifyBaseLogger;
  /** Of every answer. */
  headers: Record<string, string>;
  silentMs: number;
  newId: () => string;
};

/** `accepted`: the headers of a 202, names and values in turn, which Node writes faster than an object. */
type Prepared = Options & { accepted: readonly string[] };

/**
 * Receives the events of known senders without the plumbing that other requests need, which would cost more than reading
 * and storing an event. Unusual requests are handled like all others; `receive-directly.test.ts` compares both.
 */
export function receiveDirectly(options: Options): DirectAnswer {
  const { limiter, limit, slots, silentMs } = options;
  const accepted = [...Object.entries(options.headers).flat(), "content-length", "0"];
  const prepared: Prepared = { ...options, accepted };
  return (request, response) => {
    const sender = knownSender(request, options);
    if (!sender) return false;
    const { length } = sender;
    const { key } = sender.caller;
    if (!hasRoomInFlight(length) || !slots.takeForEvent(key)) return false;
    const verdict = limiter.takeKnown(`ingest:${key}`, limit);
    if (!verdict) {
      slots.releaseEvent(key);
      return false;
    }
    addInFlight(length);
    response.once("close", () => {
      slots.releaseEvent(key);
      addInFlight(-length);
    });
    const receipt = new Receipt(prepared, response, sender, verdict.remaining);
    readSmallBody(request, { length, silentMs }, (error, bytes) =>
      error ? receipt.refuse(error) : receipt.take(bytes),
    );
    return true;
  };
}

/** One request and its answer. */
class Receipt {
  readonly #options: Prepared;
  readonly #response: ServerResponse;
  readonly #sender: KnownSender;
  readonly #limits: Record<string, string>;
  readonly #startedAt = performance.now();

  constructor(options: Prepared, response: ServerResponse, sender: KnownSender, remaining: number) {
    this.#options = options;
    this.#response = response;
    this.#sender = sender;
    this.#limits = { "x-ratelimit-limit": String(options.limit), "x-ratelimit-remaining": String(remaining) };
  }

  take(bytes: Buffer): void {
    const { ingestion, db } = this.#options;
    const { projectId, keepVars, awaitedEvents } = this.#sender;
    try {
      ingestion.requireRoom(projectId);
      const size = bytes.length;
      const event = readEvent(bytes, { keepVars, privacyRules: null });
      freeBuffer(bytes);
      ingestion
        .add({ projectId, event, size })
        .then(() => keepIfAwaited(db, awaitedEvents, projectId, event.event_id))
        .then(
          () => this.#accept(),
          (error: Error) => this.refuse(error),
        );
    } catch (error) {
      this.refuse(error as Error);
    }
  }

  #accept(): void {
    const limits = Object.entries(this.#limits).flat();
    this.#response.writeHead(202, [...this.#options.accepted, ...limits]).end();
    this.#observe(202);
  }

  refuse(error: Error): void {
    const { logger, headers, newId } = this.#options;
    const id = newId();
    const request = { id, log: logger, routeOptions: { url: ROUTE } };
    const answer = describeError(error, request);
    const text = JSON.stringify(answer.body);
    this.#response
      .writeHead(answer.status, {
        ...headers,
        ...this.#limits,
        ...answer.headers,
        "content-type": "application/json; charset=utf-8",
        "content-length": Buffer.byteLength(text),
      })
      .end(text);
    this.#observe(answer.status, id);
  }

  #observe(status: number, id?: string): void {
    const { metrics, usage, logger, newId } = this.#options;
    const { caller, projectId } = this.#sender;
    const ms = performance.now() - this.#startedAt;
    metrics.request({ method: "POST", route: ROUTE, status: `${Math.floor(status / 100)}xx` }, ms / 1000);
    metrics.event(outcomeOf(status));
    if (isInvalid(status)) usage.add(projectId, "invalid");
    if (status >= 500 || ms > 1_000)
      logIfNotable(logger, { id: id ?? newId(), method: "POST", route: ROUTE, status, ms, caller });
  }
}
