import type { ServerResponse } from "node:http";
import { HttpError } from "../answers/errors.ts";

/** Limits the streams of each credential or user, including those that are being opened. */
export class StreamLimit {
  readonly #most: number;
  readonly #whose: string;
  readonly #counts = new Map<string | number, number>();

  /** `whose` begins the error message, such as `This credential`. */
  constructor(most: number, whose: string) {
    this.#most = most;
    this.#whose = whose;
  }

  /**
   * Counts a stream until its response closes. Call this while the response is open. 429 if there are too many with the
   * key.
   */
  take(key: string | number, response: ServerResponse): void {
    const count = this.#counts.get(key) ?? 0;
    if (count >= this.#most) throw tooManyStreams(this.#whose, this.#most);
    this.#counts.set(key, count + 1);
    response.once("close", () => {
      const left = (this.#counts.get(key) ?? 1) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    });
  }
}

const tooManyStreams = (whose: string, most: number) =>
  new HttpError(429, `${whose} already has ${most} open streams.`, {}, { "retry-after": "5" });
