import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyBaseLogger } from "fastify";
import type { Authority } from "../../access/authority.ts";
import type { RequestSlots } from "../../access/request-limits.ts";
import { hasShapeOfIngestKey } from "../../access/find-ingest-key.ts";
import { describeError } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";
import type { DirectAnswer } from "../../http/answer-directly.ts";
import type { Verdict } from "../../limits/known-permits.ts";
import type { Metrics } from "../../http/metrics.ts";
import { outcomeOf } from "../../http/observe-requests.ts";
import type { RateLimiter } from "../../limits/rate-limit.ts";
import { addInFlight, hasRoomInFlight } from "../../http/bytes-in-flight.ts";
import { logIfNotable } from "../../http/request-log.ts";
import { whenBuffered } from "../../http/when-buffered.ts";
import { whenParsed } from "../../http/when-parsed.ts";
import type { UsageCounter } from "../../record/usage-counter.ts";
import { addEvent } from "./add-event.ts";
import { freeBuffer } from "../store/free-buffer.ts";
import type { Ingestion } from "../store/ingestion.ts";
import { readEvent } from "../read/read-event.ts";
import { isInvalid } from "../../errors/usage/count-refusals.ts";
import { knownSender, lookUpSender, ordinaryEvent, ROUTE } from "./known-sender.ts";
import type { KnownSender, OrdinaryEvent } from "./known-sender.ts";

/**
 * Milliseconds to wait for the rest of a body. When a later one arrives, the sender may have lost its rights, so the route looks
 * the sender up again.
 */
const BODY_WAIT_MS = 1_000;

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
  /** Sent with every response. */
  headers: Record<string, string>;
  newId: () => string;
  /** Handles all requests that are not answered here. */
  route: (request: IncomingMessage, response: ServerResponse) => void;
};

/** `accepted`: the headers of a 202 as alternating names and values, which Node writes faster than an object. */
type Prepared = Options & { accepted: readonly string[] };

/**
 * Receives events of known senders before Fastify, whose routing and hooks cost more than reading and storing an event.
 * Unusual requests go to the route; `receive-directly.test.ts` compares both.
 *
 * Events of other senders wait here for the lookup: at the beginning of a storm there are hundreds of them, and passing
 * them to the route would delay the events of other projects.
 */
export function receiveDirectly(options: Options): DirectAnswer {
  const accepted = [...Object.entries(options.headers).flat(), "content-length", "0"];
  const prepared: Prepared = { ...options, accepted };
  return (request, response) => {
    const event = ordinaryEvent(request);
    if (!event || hasShapeOfIngestKey(event.token)) return false;
    const exchange = { request, response };
    const sender = knownSender(event, options);
    const place = sender && takePlace(sender, response, options);
    if (sender && !place) return false;
    if (sender && place) receive(prepared, exchange, sender, place);
    else void lookUpAndReceive(prepared, exchange, event);
    return true;
  };
}

type Exchange = { request: IncomingMessage; response: ServerResponse };

/** Passes the request to the route if its sender is not admitted or cannot be looked up. */
async function lookUpAndReceive(options: Prepared, exchange: Exchange, event: OrdinaryEvent): Promise<void> {
  const { request, response } = exchange;
  const sender = await lookUpSender(event, options).catch(() => undefined);
  // If the client is already gone, no further event will fire, and the slot would leak.
  if (response.destroyed) return;
  const place = sender && takePlace(sender, response, options);
  if (sender && place) receive(options, exchange, sender, place);
  else options.route(request, response);
}

/** Waits for the body and stores the event. If the body is late or the limit is exceeded, the route handles the request. */
function receive(
  options: Prepared,
  { request, response }: Exchange,
  sender: KnownSender,
  place: Place,
): void {
  const { limiter, limit, route } = options;
  const receipt = new Receipt(options, response, sender);
  const passOn = () => {
    place.free();
    if (!response.destroyed) route(request, response);
  };
  const read = ({ remaining }: Verdict) => {
    if (!response.destroyed) receipt.take(request.read() as Buffer, remaining);
  };
  const onBuffered = () => {
    if (response.destroyed) return;
    if (!request.complete || request.readableLength === 0) return passOn();
    const key = `ingest:${sender.caller.key}`;
    const verdict = limiter.takeKnown(key, limit);
    if (verdict) read(verdict);
    else limiter.take(key, limit).then((taken) => (taken.allowed ? read(taken) : passOn()), passOn);
  };
  whenParsed(sender.projectId, () => {
    if (request.complete) onBuffered();
    else whenBuffered(request, BODY_WAIT_MS, onBuffered);
  });
}

type Place = { free(): void };

/** Counts a request as in flight until its response closes. Undefined if too many requests or bytes are in flight. */
function takePlace(
  { caller: { key }, length }: KnownSender,
  response: ServerResponse,
  { slots }: Options,
): Place | undefined {
  if (!hasRoomInFlight(length) || !slots.takeForEvent(key)) return undefined;
  addInFlight(length);
  const free = () => {
    response.off("close", free);
    slots.releaseEvent(key);
    addInFlight(-length);
  };
  response.once("close", free);
  return { free };
}

/** Handles one request and writes its response. */
class Receipt {
  readonly #options: Prepared;
  readonly #response: ServerResponse;
  readonly #sender: KnownSender;
  #limits: Record<string, string> = {};
  readonly #startedAt = performance.now();

  constructor(options: Prepared, response: ServerResponse, sender: KnownSender) {
    this.#options = options;
    this.#response = response;
    this.#sender = sender;
  }

  /** `remaining`: how much of the limit is left. */
  take(bytes: Buffer, remaining: number): void {
    const { ingestion, db, limit } = this.#options;
    this.#limits = { "x-ratelimit-limit": String(limit), "x-ratelimit-remaining": String(remaining) };
    const { caller, projectId, keepVars, awaitedEvents } = this.#sender;
    try {
      ingestion.requireRoom(projectId);
      const size = bytes.length;
      const event = readEvent(bytes, { keepVars, privacyRules: null });
      freeBuffer(bytes);
      addEvent(ingestion, db, awaitedEvents, { projectId, event, size, client: caller.key }).then(
        () => this.#accept(),
        (error: Error) => this.#refuse(error),
      );
    } catch (error) {
      this.#refuse(error as Error);
    }
  }

  #accept(): void {
    const limits = Object.entries(this.#limits).flat();
    this.#response.writeHead(202, [...this.#options.accepted, ...limits]).end();
    this.#observe(202);
  }

  #refuse(error: Error): void {
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
