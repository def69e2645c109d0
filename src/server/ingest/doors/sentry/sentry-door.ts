import type { IncomingMessage, ServerResponse } from "node:http";
import type { Authority } from "../../../access/authority.ts";
import type { RequestSlots } from "../../../access/request-limits.ts";
import { noteKeyUse } from "../../../access/note-key-use.ts";
import { isInvalid } from "../../../errors/usage/count-refusals.ts";
import type { DirectAnswer } from "../../../http/answer-directly.ts";
import { addInFlight, hasRoomInFlight } from "../../../http/bytes-in-flight.ts";
import { corsHeaders } from "../../../http/cross-origin.ts";
import { whenBuffered } from "../../../http/when-buffered.ts";
import { whenParsed } from "../../../http/when-parsed.ts";
import { joined } from "../../relay/body-copy.ts";
import { forward, isForwarded } from "../../relay/forward.ts";
import { freeBuffer, freeWhole } from "../../store/free-buffer.ts";
import { flat, Receipt, type ReceiptOptions } from "../receipt.ts";
import { describeSentryError } from "./answer-sentry-error.ts";
import { decompressed } from "./decompress.ts";
import { EnvelopeParser, type Envelope, type Item } from "./envelope-parser.ts";
import { countSessions } from "./count-sessions.ts";
import { knownSdk, type KnownSdk } from "./known-sdk.ts";
import { storePermitted, type EventIntake } from "./store-sentry-events.ts";

/** Milliseconds to wait for the rest of a body. Ordinary envelopes arrive within this time. */
const BODY_WAIT_MS = 1_000;

type Options = EventIntake &
  ReceiptOptions & {
    authority: Authority;
    slots: RequestSlots;
    /** Sent with every response. */
    headers: Record<string, string>;
    /** The key of the client's address, as `clientAddress` returns it. */
    addressOf: (request: IncomingMessage) => string;
    /** Handles the requests that are not answered here. */
    route: (request: IncomingMessage, response: ServerResponse) => void;
  };

/**
 * The headers as alternating names and values, which Node writes faster than an object: those of all responses, and with those for
 * keys that allow all origins.
 */
type Prepared = Options & { fixed: readonly string[]; fixedForAll: readonly string[] };

/**
 * Answers ordinary envelopes of known senders before the router, whose hooks would take longer than reading an event: those
 * with one event, and those with sessions or without any used item, which are about half of what SDKs send. All others go to the route, with
 * their bodies unread.
 */
export function sentryDoor(given: Options): DirectAnswer {
  const type = { "content-type": "application/json; charset=utf-8" };
  const fixed = flat({ ...given.headers, ...type });
  const options: Prepared = { ...given, fixed, fixedForAll: [...fixed, ...flat(corsHeaders(undefined))] };
  return (request, response) => {
    const sdk = knownSdk(options.authority, request);
    if (!sdk) return false;
    const visit = new Visit(options, request, response, sdk);
    whenParsed(sdk.key.projectId, () => visit.start());
    return true;
  };
}

/** One request at the door. */
class Visit {
  readonly #options: Prepared;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #sdk: KnownSdk;
  readonly #receipt: Receipt;
  #hasSlot = false;

  constructor(options: Prepared, request: IncomingMessage, response: ServerResponse, sdk: KnownSdk) {
    this.#options = options;
    this.#request = request;
    this.#response = response;
    this.#sdk = sdk;
    this.#receipt = new Receipt(options, response, { route: sdk.route, caller: undefined });
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
    // The body's memory is freed before the response.
    const copy = isForwarded(this.#sdk.key, this.#request) ? joined([body], body.length) : undefined;
    if (envelope && this.#take(envelope, bytes, copy)) return;
    this.#request.unshift(body);
    this.#route();
  }

  #route(): void {
    this.#releaseSlot();
    this.#options.route(this.#request, this.#response);
  }

  /** Handles the envelope. Returns false if the route must do so. */
  #take(envelope: Envelope, bytes: Buffer, copy: Buffer | undefined): boolean {
    const { header, events, feedback, userReports, checkIns, skipped } = envelope;
    const { db, usage } = this.#options;
    const { key } = this.#sdk;
    if (events.length > 1 || feedback.length + userReports.length + checkIns.length > 0) return false;
    const [event] = events;
    const onAnswer = () => this.#forward(copy, header);
    if (event && !this.#storeIfPermitted(event, header["event_id"], bytes, onAnswer)) return false;
    noteKeyUse(db, key.id);
    usage.add(key.projectId, "discarded", skipped);
    countSessions(this.#options, key, envelope);
    if (!event) {
      this.#answer(200, "{}");
      onAnswer();
    }
    return true;
  }

  #forward(body: Buffer | undefined, header: object): void {
    if (!body) return;
    const { relay } = this.#options;
    forward(relay, this.#sdk.key, { request: this.#request, route: "envelope", body, header });
  }

  #storeIfPermitted({ payload }: Item, id: unknown, bytes: Buffer, onAnswer: () => void): boolean {
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
    const from = { headers: this.#request.headers, address };
    storePermitted(this.#options, key, [{ body: payload, id }], from).then(
      (stored) => {
        if (this.#sdk.isGzip) freeWhole(bytes);
        else freeBuffer(bytes);
        this.#answer(200, `{"id":"${stored}"}`, limits);
        onAnswer();
      },
      (error: Error) => this.#refuse(error, limits),
    );
    return true;
  }

  #refuse(error: Error, limits: Record<string, string>): void {
    const { key } = this.#sdk;
    const { failed } = this.#receipt;
    const { status, headers, body } = describeSentryError(error, failed);
    if (isInvalid(status)) this.#options.usage.add(key.projectId, "invalid");
    this.#answer(status, JSON.stringify(body), { ...limits, ...headers }, failed.id);
  }

  #answer(status: number, body: string, more?: Record<string, string | string[]>, id?: string): void {
    const { key, origin } = this.#sdk;
    const { fixed, fixedForAll } = this.#options;
    const headers =
      key.allowedOrigins.length === 0
        ? fixedForAll
        : [...fixed, ...flat(corsHeaders(origin, key.allowedOrigins))];
    this.#receipt.answer(status, more ? [...headers, ...flat(more)] : headers, body, id);
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
