import type { FastifyReply, FastifyRequest } from "fastify";
import { overloaded, tooMany } from "../answers/errors.ts";
import type { Limits } from "../config/config.ts";
import { clientAddress } from "../http/client-address.ts";
import type { RateLimiter } from "../http/rate-limit.ts";

/** Concurrent requests per credential; further ones get 503. */
const MOST_IN_FLIGHT = 64;

/** Counts the requests in flight of each credential, in this process. */
export class RequestSlots {
  #inFlight = new Map<string, number>();

  /** Takes one of the credential's slots until the response is closed; 503 if all are taken. */
  take(key: string, reply: FastifyReply): void {
    // The client may have disconnected during the lookup of its credential. `close` has already fired then, so the
    // slot would leak.
    if (reply.raw.destroyed) throw overloaded();
    const count = this.#inFlight.get(key) ?? 0;
    if (count >= MOST_IN_FLIGHT) throw overloaded();
    this.#inFlight.set(key, count + 1);
    reply.raw.once("close", () => this.#release(key));
  }

  #release(key: string): void {
    const left = (this.#inFlight.get(key) ?? 1) - 1;
    if (left > 0) this.#inFlight.set(key, left);
    else this.#inFlight.delete(key);
  }
}

/** The rate limits of requests. Each answer tells in its headers what is left of the limit. */
export class RequestLimits {
  readonly #limiter: RateLimiter;
  readonly #limits: Limits;

  constructor(limiter: RateLimiter, limits: Limits) {
    this.#limiter = limiter;
    this.#limits = limits;
  }

  /**
   * Counts a request against its route's limit, by `who`: the key of its credential, or its IP address. Nothing that
   * the client can choose freely (path, query, headers) is part of the key. 429 when the limit is exceeded.
   */
  async count(request: FastifyRequest, reply: FastifyReply, who: string): Promise<void> {
    const { limit = "api" } = request.routeOptions.config;
    if (limit !== "none") await this.#take(reply, `${limit}:${who}`, this.#limits[limit]);
  }

  countByAddress(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    return this.count(request, reply, `ip:${clientAddress(request)}`);
  }

  /**
   * Rate-limits invalid credentials by IP address. Tokens and sessions count separately, so that a program with a
   * revoked token does not keep people behind the same address from signing in again.
   */
  async countInvalid(request: FastifyRequest, reply: FastifyReply, kind: "token" | "session"): Promise<void> {
    await this.#take(reply, `unknown:${kind}:ip:${clientAddress(request)}`, this.#limits.api);
  }

  async #take(reply: FastifyReply, key: string, most: number): Promise<void> {
    const { limit, remaining, allowed, retryAfter } = await this.#limiter.take(key, most);
    void reply.headers({ "x-ratelimit-limit": limit, "x-ratelimit-remaining": remaining });
    if (!allowed) throw tooMany(retryAfter);
  }
}
