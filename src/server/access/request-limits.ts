import type { ServerResponse } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { overloaded, tooMany } from "../answers/errors.ts";
import type { Limits } from "../config/config.ts";
import { setSender } from "../http/bytes-in-flight.ts";
import { clientAddress } from "../http/client-address.ts";
import type { Verdict } from "../limits/known-permits.ts";
import type { RateLimiter } from "../limits/rate-limit.ts";
import type { Caller } from "./caller.ts";
import type { Credential } from "./credential.ts";
import type { FeedbackLimits } from "../limits/feedback-limits.ts";
import type { KeyLimits } from "../limits/key-limits.ts";

/** The most concurrent requests; further ones get 503. */
type InFlightLimits = { perCredential: number; inTotal: number };

const MAX_REQUESTS: InFlightLimits = { perCredential: 64, inTotal: Infinity };

/** For error events, which are counted separately. A fleet may share one token, so each credential may have many in flight. */
const MAX_EVENTS: InFlightLimits = { perCredential: 1_000, inTotal: 5_000 };

/** Counts the requests in flight, in this process. */
export class RequestSlots {
  readonly #events = new Slots(MAX_EVENTS);
  readonly #others = new Slots(MAX_REQUESTS);

  /**
   * Takes one of the credential's slots until the response is closed; 503 if all are taken. The body of the request counts
   * for the credential.
   */
  take(request: FastifyRequest, reply: FastifyReply, key: string): void {
    setSender(reply.raw, key);
    (request.routeOptions.config.limit === "ingest" ? this.#events : this.#others).take(key, reply.raw);
  }

  /** Takes one of the credential's slots for an event until `releaseEvent`; false if all are taken. */
  takeForEvent(key: string): boolean {
    return this.#events.takeIfFree(key);
  }

  releaseEvent(key: string): void {
    this.#events.release(key);
  }
}

class Slots {
  readonly #limits: InFlightLimits;
  #total = 0;
  #inFlight = new Map<string, number>();

  constructor(limits: InFlightLimits) {
    this.#limits = limits;
  }

  take(key: string, response: ServerResponse): void {
    // The client may have disconnected during the lookup of its credential. `close` has already fired then, so the
    // slot would leak.
    if (response.destroyed || !this.takeIfFree(key)) throw overloaded();
    response.once("close", () => this.release(key));
  }

  takeIfFree(key: string): boolean {
    const count = this.#inFlight.get(key) ?? 0;
    if (count >= this.#limits.perCredential || this.#total >= this.#limits.inTotal) return false;
    this.#inFlight.set(key, count + 1);
    this.#total++;
    return true;
  }

  release(key: string): void {
    this.#total--;
    const left = (this.#inFlight.get(key) ?? 1) - 1;
    if (left > 0) this.#inFlight.set(key, left);
    else this.#inFlight.delete(key);
  }
}

/** Requests with the same key are counted together. */
type Counted = { kind: Caller["kind"]; key: string };

export type LimitOptions = {
  limiter: RateLimiter;
  limits: Limits;
  keyLimits: KeyLimits;
  feedbackLimits: FeedbackLimits;
};

/** Applies the rate limits of routes. The headers of every response say how much of the limit remains. */
export class RequestLimits {
  readonly #limiter: RateLimiter;
  readonly #limits: Limits;
  readonly #keyLimits: KeyLimits;
  readonly #feedbackLimits: FeedbackLimits;

  constructor({ limiter, limits, keyLimits, feedbackLimits }: LimitOptions) {
    this.#limiter = limiter;
    this.#limits = limits;
    this.#keyLimits = keyLimits;
    this.#feedbackLimits = feedbackLimits;
  }

  /**
   * Counts a request against its route's limit, by credential. Nothing that the client can choose freely (path, query,
   * headers) is part of the key. 429 when the limit is exceeded.
   */
  count(request: FastifyRequest, reply: FastifyReply, { kind, key }: Counted): Promise<void> {
    const { limit = "api" } = request.routeOptions.config;
    if (limit === "feedback") return this.#count(reply, "api", key);
    return this.#count(reply, limit === "api" && kind === "session" ? "session" : limit, key);
  }

  /** Counts a request with an ingest key. On routes for events, a key's limit leaves a reserve for further addresses. */
  async countKey(request: FastifyRequest, reply: FastifyReply, keyId: number): Promise<void> {
    const { limit = "api" } = request.routeOptions.config;
    const address = clientAddress(request);
    if (limit === "feedback") apply(await this.#feedbackLimits.take(address, `ing:${keyId}`), reply);
    else if (limit === "ingest") apply(await this.#keyLimits.take(keyId, address), reply);
    // All visitors of a page share its key.
    else await this.#count(reply, limit, `ing:${keyId} ${address}`);
  }

  async countByAddress(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { limit = "api" } = request.routeOptions.config;
    const address = clientAddress(request);
    if (limit === "feedback") apply(await this.#feedbackLimits.takeForAddress(address), reply);
    else await this.#count(reply, limit, `ip:${address}`);
  }

  /**
   * Rate-limits missing and invalid credentials by IP address. Each kind counts separately, so that a program with a
   * revoked token does not keep people behind the same address from signing in again.
   */
  async countInvalid(request: FastifyRequest, reply: FastifyReply, kind: Credential["kind"]): Promise<void> {
    await this.#take(reply, `unknown:${kind}:ip:${clientAddress(request)}`, this.#limits.api);
  }

  async #count(reply: FastifyReply, limit: keyof Limits | "none", who: string): Promise<void> {
    if (limit !== "none") await this.#take(reply, `${limit}:${who}`, this.#limits[limit]);
  }

  async #take(reply: FastifyReply, key: string, most: number): Promise<void> {
    apply(await this.#limiter.take(key, most), reply);
  }
}

function apply({ limit, remaining, allowed, retryAfter }: Verdict, reply: FastifyReply): void {
  void reply.headers({ "x-ratelimit-limit": limit, "x-ratelimit-remaining": remaining });
  if (!allowed) throw tooMany(retryAfter);
}
