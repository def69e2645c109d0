import type { ServerResponse } from "node:http";
import type { FastifyBaseLogger } from "fastify";
import type { Caller } from "../../access/caller.ts";
import type { describeError } from "../../answers/errors.ts";
import type { Metrics } from "../../http/metrics.ts";
import { logIfNotable } from "../../http/request-log.ts";

export type ReceiptOptions = { metrics: Metrics; logger: FastifyBaseLogger; newId: () => string };

/** `route` is the pattern of the route that would have handled the request. */
type About = { route: string; caller: Caller | undefined };

/** Writes and records the response to a request that the framework does not see. */
export class Receipt {
  readonly #options: ReceiptOptions;
  readonly #response: ServerResponse;
  readonly #about: About;
  readonly #startedAt = performance.now();

  constructor(options: ReceiptOptions, response: ServerResponse, about: About) {
    this.#options = options;
    this.#response = response;
    this.#about = about;
  }

  /** `headers` alternate names and values, which Node writes faster than an object. */
  answer(status: number, headers: readonly string[], body = "", id?: string): void {
    const length = Buffer.byteLength(body);
    // Headers and an ASCII body are written together without converting them to UTF-8.
    this.#response
      .writeHead(status, [...headers, "content-length", String(length)])
      .end(body, length === body.length ? "latin1" : "utf8");
    this.#record(status, id);
  }

  /** What `describeError` needs to know of the request. */
  get failed(): Parameters<typeof describeError>[1] {
    const { newId, logger } = this.#options;
    return { id: newId(), log: logger, routeOptions: { url: this.#about.route } };
  }

  #record(status: number, id: string | undefined): void {
    const { metrics, logger, newId } = this.#options;
    const { route, caller } = this.#about;
    const ms = performance.now() - this.#startedAt;
    metrics.request({ method: "POST", route, status: `${Math.floor(status / 100)}xx` }, ms / 1_000);
    if (status >= 500 || ms > 1_000)
      logIfNotable(logger, { id: id ?? newId(), method: "POST", route, status, ms, caller });
  }
}

/** Headers as alternating names and values. */
export const flat = (headers: Readonly<Record<string, string | string[]>>): string[] =>
  Object.entries(headers).flatMap(([name, values]) => [values].flat().flatMap((value) => [name, value]));
