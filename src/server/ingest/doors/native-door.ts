import type { IncomingMessage, ServerResponse } from "node:http";
import type { Authority } from "../../access/authority.ts";
import type { RequestSlots } from "../../access/request-limits.ts";
import { looksLikeIngestKey } from "../../access/ingest-key.ts";
import { describeError } from "../../answers/errors.ts";
import type { DirectAnswer } from "../../http/answer-directly.ts";
import { addInFlight, hasRoomInFlight } from "../../http/bytes-in-flight.ts";
import { outcomeOf } from "../../http/observe-requests.ts";
import { whenBuffered } from "../../http/when-buffered.ts";
import { whenParsed } from "../../http/when-parsed.ts";
import { isInvalid } from "../../errors/usage/count-refusals.ts";
import type { Verdict } from "../../limits/known-permits.ts";
import type { RateLimiter } from "../../limits/rate-limit.ts";
import { ingest, type Intake } from "../pipeline.ts";
import { freeBuffer } from "../store/free-buffer.ts";
import { knownSender, lookUpSender, ordinaryEvent, ROUTE } from "./known-sender.ts";
import type { KnownSender, OrdinaryEvent } from "./known-sender.ts";
import { flat, Receipt, type ReceiptOptions } from "./receipt.ts";

/**
 * Milliseconds to wait for the rest of a body. When a later one arrives, the sender may have lost its rights, so the route looks
 * the sender up again.
 */
const BODY_WAIT_MS = 1_000;

type Options = Intake &
  ReceiptOptions & {
    authority: Authority;
    limiter: RateLimiter;
    /** Events per minute of a credential. */
    limit: number;
    slots: RequestSlots;
    /** Sent with every response. */
    headers: Record<string, string>;
    /** Handles all requests that are not answered here. */
    route: (request: IncomingMessage, response: ServerResponse) => void;
  };

/** `fixed`: the headers as alternating names and values, which Node writes faster than an object. */
type Prepared = Options & { fixed: readonly string[] };

/**
 * Receives events of known senders before Fastify, whose routing and hooks cost more than reading and storing an event.
 * Unusual requests go to the route; `native-door.test.ts` compares both.
 *
 * Events of other senders wait here for the lookup: at the beginning of a storm there are hundreds of them, and passing
 * them to the route would delay the events of other projects.
 */
export function nativeDoor(given: Options): DirectAnswer {
  const options: Prepared = { ...given, fixed: flat(given.headers) };
  return (request, response) => {
    const event = ordinaryEvent(request);
    if (!event || looksLikeIngestKey(event.token)) return false;
    const exchange = { request, response };
    const sender = knownSender(event, options);
    const place = sender && takePlace(sender, response, options);
    if (sender && !place) return false;
    if (sender && place) receive(options, exchange, sender, place);
    else void lookUpAndReceive(options, exchange, event);
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
  const receipt = new Receipt(options, response, { route: ROUTE, caller: sender.caller });
  const passOn = () => {
    place.free();
    if (!response.destroyed) route(request, response);
  };
  const store = (permit: Verdict) => {
    if (!response.destroyed) void storeEvent(options, receipt, sender, request.read() as Buffer, permit);
  };
  const onBuffered = () => {
    if (response.destroyed) return;
    if (!request.complete || request.readableLength === 0) return passOn();
    const key = `ingest:${sender.caller.key}`;
    const permit = limiter.takeKnown(key, limit);
    if (permit) store(permit);
    else limiter.take(key, limit).then((taken) => (taken.allowed ? store(taken) : passOn()), passOn);
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

async function storeEvent(
  options: Prepared,
  receipt: Receipt,
  { caller, projectId }: KnownSender,
  body: Buffer,
  { remaining }: Verdict,
): Promise<void> {
  const { fixed, limit, metrics, usage } = options;
  const headers = [...fixed, "x-ratelimit-limit", String(limit), "x-ratelimit-remaining", String(remaining)];
  const sender = { projectId, client: caller.key, origin: undefined, userAgent: undefined };
  let status = 202;
  try {
    await ingest(options, sender, { body });
    freeBuffer(body);
    receipt.answer(status, headers);
  } catch (error) {
    const { failed } = receipt;
    const answer = describeError(error as Error, failed);
    const more = { ...answer.headers, "content-type": "application/json; charset=utf-8" };
    status = answer.status;
    receipt.answer(status, [...headers, ...flat(more)], JSON.stringify(answer.body), failed.id);
  }
  metrics.event(outcomeOf(status));
  if (isInvalid(status)) usage.add(projectId, "invalid");
}
