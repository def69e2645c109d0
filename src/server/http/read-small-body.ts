import type { IncomingMessage } from "node:http";
import { requestTimeout } from "../answers/errors.ts";
import { whenParsed } from "./when-parsed.ts";

type Small = { sender: unknown; length: number; silentMs: number };
type Done = (error: Error | undefined, bytes: Buffer) => void;

/**
 * Reads the whole body of a request with this `Content-Length`, which must be small and greater than 0. 408 if no data arrives
 * for `silentMs`. Calls `done` asynchronously and at most once: not if the client disconnects.
 */
export function readSmallBody(request: IncomingMessage, small: Small, done: Done): void {
  whenParsed(small.sender, () => {
    const bytes = request.complete ? (request.read() as Buffer | null) : null;
    if (bytes) done(undefined, bytes);
    else if (!request.destroyed) collect(request, small, done);
  });
}

function collect(request: IncomingMessage, { length, silentMs }: Small, done: Done): void {
  let chunks: Buffer[] = [];
  let isDone = false;
  const finish = (error: Error | undefined, bytes: Buffer) => {
    if (isDone) return;
    isDone = true;
    clearTimeout(silence);
    done(error, bytes);
  };
  const silence = setTimeout(() => finish(requestTimeout(), NOTHING), silentMs);
  request.on("data", (chunk: Buffer) => {
    silence.refresh();
    chunks.push(chunk);
  });
  request.on("end", () => {
    const bytes = Buffer.concat(chunks, length);
    // Release the chunks now: the request stays in memory until it is answered, which may be much later.
    chunks = [];
    finish(undefined, bytes);
  });
  request.on("close", () => clearTimeout(silence));
}

const NOTHING = Buffer.alloc(0);
