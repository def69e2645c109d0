import type { IncomingMessage } from "node:http";
import { requestTimeout } from "../answers/errors.ts";

type Small = { length: number; silentMs: number };

/**
 * Reads the whole body of a request with this `Content-Length`, which must be small and greater than 0. 408 if no data
 * arrives for `silentMs`. Calls `done` only once, and not at all if the client disconnects.
 */
export function readSmallBody(
  request: IncomingMessage,
  { length, silentMs }: Small,
  done: (error: Error | undefined, bytes: Buffer) => void,
): void {
  let chunks: Buffer | Buffer[] = [];
  let isDone = false;
  const finish = (error: Error | undefined, bytes: Buffer) => {
    if (isDone) return;
    isDone = true;
    clearTimeout(silence);
    done(error, bytes);
  };
  const silence = setTimeout(() => finish(requestTimeout(), NOTHING), silentMs);
  request.on("data", (chunk: Buffer) => {
    // Most bodies arrive in one chunk, which need not be copied.
    if (chunk.length === length) chunks = chunk;
    else {
      silence.refresh();
      (chunks as Buffer[]).push(chunk);
    }
  });
  request.on("end", () => finish(undefined, Array.isArray(chunks) ? Buffer.concat(chunks, length) : chunks));
  request.on("close", () => clearTimeout(silence));
}

const NOTHING = Buffer.alloc(0);
