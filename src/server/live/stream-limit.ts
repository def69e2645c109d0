import type { ServerResponse } from "node:http";
import { HttpError } from "../answers/errors.ts";

/** Limits the streams per credential, including those that are being opened. */
export class StreamLimit {
  readonly #most: number;
  readonly #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Counts a stream until its response closes. Call this while the response is open. 429 if the credential has too
   * many.
   */
  take(key: string, response: ServerResponse): void {
    const count = this.#counts.get(key) ?? 0;
    if (count >= this.#most) throw tooManyStreams(this.#most);
    this.#counts.set(key, count + 1);
    response.once("close", () => {
      const left = (this.#counts.get(key) ?? 1) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    });
  }
}

const tooManyStreams = (most: number) =>
  new HttpError(429, `This credential already has ${most} open streams.`, {}, { "retry-after": "5" });
