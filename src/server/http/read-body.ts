import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { badRequest, overloaded, requestTimeout, tooLarge, unsupportedType } from "../answers/errors.ts";

/**
 * Maximum number of bytes of all bodies in flight; requests that would exceed it get 503. A body's bytes count as in
 * flight until its response is sent or the client disconnects.
 */
const IN_FLIGHT_LIMIT = 256 * 1_048_576;
let inFlight = 0;

type Expected = { response: ServerResponse; silentMs: number };
const expected = new WeakMap<IncomingMessage, Expected>();

/**
 * Must be called before the request's body is read: when the response closes, its bytes are no longer in flight. If no
 * data arrives for `silentMs`, reading the body fails with 408.
 */
export function expectBody(request: IncomingMessage, response: ServerResponse, silentMs: number): void {
  expected.set(request, { response, silentMs });
}

/** Reads the whole body. 413 if it exceeds `limit` bytes, by its declared or by its actual length. */
export async function readBytes(stream: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(stream.headers["content-length"] ?? 0) > limit) throw tooLarge();
  return collect(stream, stream, limit);
}

/** Like `readBytes`, for a body that may be compressed with gzip. The limit applies before and after decompression. */
export async function readMaybeGzip(stream: IncomingMessage, limit: number): Promise<Buffer> {
  const encoding = stream.headers["content-encoding"]?.trim().toLowerCase();
  if (encoding === undefined || encoding === "identity") return readBytes(stream, limit);
  if (encoding !== "gzip") throw unsupportedType("Only gzip is supported for compressed bodies.");
  if (Number(stream.headers["content-length"] ?? 0) > limit) throw tooLarge();
  const gunzip = createGunzip();
  stream.on("error", (error) => gunzip.destroy(error));
  stream.pipe(gunzip);
  try {
    return await collect(stream, gunzip, limit);
  } finally {
    // A few bytes can inflate to gigabytes, so stop decompressing a body that was rejected.
    stream.unpipe(gunzip).resume();
    gunzip.destroy();
  }
}

/** Collects the bytes of `stream`, which is the request or its decompressed body. */
function collect(request: IncomingMessage, stream: Readable, limit: number): Promise<Buffer> {
  const body = expected.get(request);
  if (!body) throw new Error("expectBody was not called before the body was read");
  const { response, silentMs } = body;
  return new Promise((resolve, reject) => {
    // If the client is already gone, no further event will fire.
    if (response.destroyed || request.destroyed) return reject(endedEarly());
    const chunks: Buffer[] = [];
    let size = 0;
    let isReading = true;
    const silence = setTimeout(() => fail(requestTimeout()), silentMs);
    const finish = (settle: () => void) => {
      isReading = false;
      clearTimeout(silence);
      stream.off("data", onData).off("end", onEnd).off("error", onError).off("close", onClose);
      settle();
      chunks.length = 0;
    };
    const fail = (error: Error) => {
      finish(() => reject(error));
      // Discard the rest of the stream; an error event without a listener would crash the process.
      stream.on("error", () => {}).resume();
    };
    const onData = (chunk: Buffer) => {
      silence.refresh();
      size += chunk.length;
      inFlight += chunk.length;
      if (size > limit) return fail(tooLarge());
      if (inFlight > IN_FLIGHT_LIMIT) return fail(overloaded());
      chunks.push(chunk);
    };
    const onEnd = () =>
      finish(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    const onError = () => fail(badRequest("The body could not be read."));
    const onClose = () => fail(endedEarly());
    response.once("close", () => {
      if (isReading) onClose();
      inFlight -= size;
    });
    stream.on("data", onData).on("end", onEnd).on("error", onError).on("close", onClose);
  });
}

const endedEarly = () => badRequest("The body ended early.");
