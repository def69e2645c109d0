import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { FastifyBaseLogger } from "fastify";
import type { RequestSlots } from "../../../access/request-limits.ts";
import { noteKeyUse } from "../../../access/note-key-use.ts";
import type { DirectAnswer } from "../../../http/answer-directly.ts";
import { addInFlight, hasRoomInFlight } from "../../../http/bytes-in-flight.ts";
import { corsHeaders } from "../../../http/cross-origin.ts";
import { PreparedAnswer } from "../../../http/prepared-answer.ts";
import { logIfNotable } from "../../../http/request-log.ts";
import { whenBuffered } from "../../../http/when-buffered.ts";
import { whenParsed } from "../../../http/when-parsed.ts";
import { freeBuffer, freeWhole } from "../../store/free-buffer.ts";
import { isInvalid } from "../../../errors/usage/count-refusals.ts";
import { describeSentryError } from "./answer-sentry-error.ts";
import { decompressed } from "./decompress.ts";
import { EnvelopeParser, type Envelope, type Item } from "./envelope-parser.ts";
import { knownSdk, type KnownSdk } from "./known-sdk.ts";
import { storePermitted, type EventIntake } from "./store-sentry-events.ts";

/** Milliseconds to wait for the rest of a body. Ordinary envelopes arrive within this time. */
const BODY_WAIT_MS = 1_000;

type Options = EventIntake & {
  slots: RequestSlots;
  logger: FastifyBaseLogger;
  /** The headers of every response as alternating names and values, which Node writes faster than an object. */
  headers: readonly string[];
  /** The response to envelopes without any used item, for keys that allow all origins. */
  unused: PreparedAnswer;
  newId: () => string;
  /** The key of the client's address, as `clientAddress` returns it. */
  addressOf: (request: IncomingMessage) => string;
  /** Handles the requests that are not answered here. */
  route: (request: IncomingMessage, response: ServerResponse) => void;
};

type Given = { headers: Record<string, string> };

/**
 * Answers ordinary envelopes of known senders before the router, whose hooks would take longer than reading an event: those
 * with one event, and those without any used item, which are about half of what SDKs send. All others go to the route, with
 * their bodies unread.
 */
export function receiveEnvelopes(given: Omit<Options, "headers" | "unused"> & Given): DirectAnswer {
  const type = { "content-type": "application/json; charset=utf-8" };
  const headers = Object.entries({ ...given.headers, ...type }).flat();
  const cors = Object.entries(corsHeaders(undefined)).flat();
  const unused = new PreparedAnswer(200, [...headers, ...cors], "{}");
  const options: Options = { ...given, headers, unused };
  return (request, response) => {
    const sdk = knownSdk(options.db, request);
    if (!sdk) return false;
    const receipt = new Receipt(options, request, response, sdk);
    whenParsed(sdk.key.projectId, () => receipt.start());
    return true;
  };
}

/** Handles one request and writes its response. */
class Receipt {
  readonly #options: Options;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #sdk: KnownSdk;
  readonly #startedAt = performance.now();
  #hasSlot = false;

  constructor(options: Options, request: IncomingMessage, response: ServerResponse, sdk: KnownSdk) {
    this.#options = options;
    this.#request = request;
    this.#response = response;
    this.#sdk = sdk;
  }

  start(): void {
    if (this.#request.complete) this.#read();
    else if (this.#takeSlot()) whenBuffered(this.#request, BODY_WAIT_MS, () => this.#read());
    else this.#route();
  }

  #read(): void {
    const { complete, readableLength } = this.#request;
    if (!complete || readableLength === 0) return this.#route();
    const body = this.#request.read() as Buffer;
    const bytes = this.#sdk.isGzip ? decompressed(body) : body;
    const envelope = bytes && parse(bytes);
    if (envelope && this.#take(envelope, bytes)) return;
    this.#request.unshift(body);
    this.#route();
  }

  #route(): void {
    this.#releaseSlot();
    this.#options.route(this.#request, this.#response);
  }

  /** Handles the envelope. Returns false if the route must do so. */
  #take({ header, events, feedback, userReports, skipped }: Envelope, bytes: Buffer): boolean {
    const { db, usage } = this.#options;
    const { key } = this.#sdk;
    if (events.length > 1 || feedback.length + userReports.length > 0) return false;
    const [event] = events;
    if (event && !this.#storeIfPermitted(event, header["event_id"], bytes)) return false;
    noteKeyUse(db, key.id);
    usage.add(key.projectId, "discarded", skipped);
    if (!event) this.#answerUnused();
    return true;
  }

  #storeIfPermitted({ payload }: Item, id: unknown, bytes: Buffer): boolean {
    const { keyLimits, addressOf } = this.#options;
    const { key } = this.#sdk;
    const size = bytes.length; // read first: freed bytes have no length
    if (!key.errorTracking || !hasRoomInFlight(size) || !this.#takeSlot()) return false;
    const address = addressOf(this.#request);
    const verdict = keyLimits.takeKnown(key.id, address);
    if (!verdict) return false;
    addInFlight(size);
    this.#response.once("close", () => addInFlight(-size));
    const limits = {
      "x-ratelimit-limit": String(verdict.limit),
      "x-ratelimit-remaining": String(verdict.remaining),
    };
    storePermitted(this.#options, key, [{ payload, id }], { headers: this.#request.headers, address }).then(
      (stored) => {
        if (this.#sdk.isGzip) freeWhole(bytes);
        else freeBuffer(bytes);
        this.#answer(200, `{"id":"${stored}"}`, limits);
      },
      (error: Error) => this.#refuse(error, limits),
    );
    return true;
  }

  #refuse(error: Error, limits: Record<string, string>): void {
    const { logger: log, newId, usage } = this.#options;
    const { key, route } = this.#sdk;
    const failed = { id: newId(), log, routeOptions: { url: route } };
    const { status, headers, body } = describeSentryError(error, failed);
    if (isInvalid(status)) usage.add(key.projectId, "invalid");
    this.#answer(status, JSON.stringify(body), { ...limits, ...headers }, failed.id);
  }

  #answerUnused(): void {
    if (this.#sdk.key.allowedOrigins.length > 0) return this.#answer(200, "{}");
    this.#options.unused.send(this.#response);
    this.#observe(200);
  }

  #answer(status: number, body: string, more?: OutgoingHttpHeaders, id?: string): void {
    const { key, origin } = this.#sdk;
    const length = Buffer.byteLength(body);
    const sent = ["content-length", String(length), ...this.#options.headers];
    for (const [name, value] of Object.entries({ ...corsHeaders(origin, key.allowedOrigins), ...more }))
      sent.push(name, String(value));
    // Headers and an ASCII body are written together without converting them to UTF-8.
    this.#response.writeHead(status, sent).end(body, length === body.length ? "latin1" : "utf8");
    this.#observe(status, id);
  }

  #observe(status: number, id?: string): void {
    const { metrics, logger, newId } = this.#options;
    const { route } = this.#sdk;
    const ms = performance.now() - this.#startedAt;
    metrics.request({ method: "POST", route, status: `${Math.floor(status / 100)}xx` }, ms / 1_000);
    if (status >= 500 || ms > 1_000)
      logIfNotable(logger, { id: id ?? newId(), method: "POST", route, status, ms, caller: undefined });
  }

  /** Counts the request as in flight until its response closes. */
  #takeSlot(): boolean {
    if (this.#hasSlot) return true;
    this.#hasSlot = this.#options.slots.takeForEvent(this.#slot);
    if (this.#hasSlot) this.#response.once("close", () => this.#releaseSlot());
    return this.#hasSlot;
  }

  #releaseSlot(): void {
    if (this.#hasSlot) this.#options.slots.releaseEvent(this.#slot);
    this.#hasSlot = false;
  }

  get #slot(): string {
    return `ing:${this.#sdk.key.id}`;
  }
}

/** Undefined if the envelope is malformed: the route then reads it again and reports the error. */
function parse(bytes: Buffer): Envelope | undefined {
  try {
    const parser = new EnvelopeParser();
    parser.add(bytes);
    return parser.end();
  } catch {
    return undefined;
  }
}
