import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable, Transform } from "node:stream";
import * as zlib from "node:zlib";
import {
  badRequest,
  HttpError,
  overloaded,
  requestTimeout,
  tooLarge,
  unsupportedType,
} from "../answers/errors.ts";

/**
 * Maximum number of bytes of all bodies in flight; requests that would exceed it get 503. A body's bytes count as in
 * flight until its response is sent or the client disconnects.
 */
const IN_FLIGHT_LIMIT = 256 * 1_048_576;
let inFlight = 0;

export const hasRoomInFlight = (bytes: number): boolean => inFlight + bytes <= IN_FLIGHT_LIMIT;

/** Counts bytes as in flight. Subtract them when the response is closed. */
export function addInFlight(bytes: number): void {
  inFlight += bytes;
}

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
  requireLength(stream, limit);
  return collect(stream, stream, limit);
}

/** Like `readBytes`, for a body that may be compressed with gzip. The limit applies before and after decompression. */
export async function readMaybeGzip(stream: IncomingMessage, limit: number): Promise<Buffer> {
  const encoding = encodingOf(stream);
  if (encoding === undefined) return readBytes(stream, limit);
  if (encoding !== "gzip") throw unsupportedType("Only gzip is supported for compressed bodies.");
  requireLength(stream, limit);
  return decompress(stream, zlib.createGunzip(), (bytes) => collect(stream, bytes, limit));
}

/**
 * Keeps what it needs of a body's bytes. Returns whether it kept any of this chunk. May throw to reject the body. Nothing more is
 * read until a promise is fulfilled.
 */
export type Take = (chunk: Buffer) => boolean | Promise<boolean>;

/** Maximum numbers of bytes: as sent, and after decompression. */
type Limits = { sent: number; decompressed: number };

/**
 * Passes the body to `take` in chunks, after decompressing it by its Content-Encoding. Only chunks that `take` keeps
 * count as in flight. 413 beyond the limits, 415 for an unknown encoding.
 */
export async function streamBody(stream: IncomingMessage, limits: Limits, take: Take): Promise<void> {
  const encoding = encodingOf(stream);
  requireLength(stream, limits.sent);
  if (encoding === undefined) return pump(stream, stream, limits.sent, take);
  const create = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (!create)
    throw unsupportedType(
      `Send a body that is not compressed, or one of ${Object.keys(DECODERS).join(", ")}.`,
    );
  let sent = 0;
  const decoder = create();
  const count = (chunk: Buffer) => {
    sent += chunk.length;
    if (sent > limits.sent) decoder.destroy(tooLarge());
  };
  stream.on("data", count);
  try {
    await decompress(stream, decoder, (bytes) => pump(stream, bytes, limits.decompressed, take));
  } finally {
    stream.off("data", count);
  }
}

const DECODERS: Record<string, () => Transform> = {
  gzip: zlib.createGunzip,
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress,
  zstd: zlib.createZstdDecompress,
};

function encodingOf(stream: IncomingMessage): string | undefined {
  const encoding = stream.headers["content-encoding"]?.trim().toLowerCase();
  return encoding === "identity" || encoding === "" ? undefined : encoding;
}

function requireLength(stream: IncomingMessage, limit: number): void {
  if (Number(stream.headers["content-length"] ?? 0) > limit) throw tooLarge();
}

async function decompress<T>(
  stream: IncomingMessage,
  decoder: Transform,
  read: (bytes: Readable) => Promise<T>,
): Promise<T> {
  stream.on("error", (error) => decoder.destroy(error));
  stream.pipe(decoder);
  try {
    return await read(decoder);
  } finally {
    // A few bytes can inflate to gigabytes, so stop decompressing a body that was rejected.
    stream.unpipe(decoder).resume();
    decoder.destroy();
  }
}

/** Collects the bytes of `stream`, which is the request or its decompressed body. */
async function collect(request: IncomingMessage, stream: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await pump(request, stream, limit, (chunk) => chunks.push(chunk) > 0);
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

/** Passes the chunks of `stream`, which is the request or its decompressed body, to `take`. */
function pump(request: IncomingMessage, stream: Readable, limit: number, take: Take): Promise<void> {
  const body = expected.get(request);
  if (!body) throw new Error("expectBody was not called before the body was read");
  const { response, silentMs } = body;
  return new Promise((resolve, reject) => {
    // If the client is already gone, no further event will fire.
    if (response.destroyed || request.destroyed) return reject(endedEarly());
    let size = 0;
    let kept = 0;
    let isReading = true;
    const silence = setTimeout(() => fail(requestTimeout()), silentMs);
    const finish = (settle: () => void) => {
      isReading = false;
      clearTimeout(silence);
      stream.off("data", onData).off("end", onEnd).off("error", onError).off("close", onClose);
      settle();
    };
    const fail = (error: Error) => {
      finish(() => reject(error));
      // Discard the rest of the stream; an error event without a listener would crash the process.
      stream.on("error", () => {}).resume();
    };
    const onData = (chunk: Buffer) => {
      silence.refresh();
      size += chunk.length;
      if (size > limit) return fail(tooLarge());
      try {
        const isKept = take(chunk);
        if (isKept === true) count(chunk);
        else if (isKept) waitFor(isKept, chunk);
      } catch (error) {
        fail(error as Error);
      }
    };
    const count = (chunk: Buffer) => {
      kept += chunk.length;
      inFlight += chunk.length;
      if (inFlight > IN_FLIGHT_LIMIT) fail(overloaded());
    };
    const waitFor = (isKept: Promise<boolean>, chunk: Buffer) => {
      stream.pause();
      isKept.then(
        (answer) => {
          if (!isReading) return;
          if (answer) count(chunk);
          stream.resume();
        },
        (error: Error) => isReading && fail(error),
      );
    };
    const onEnd = () => finish(resolve);
    const onError = (error: Error) =>
      fail(error instanceof HttpError ? error : badRequest("The body could not be read."));
    const onClose = () => fail(endedEarly());
    response.once("close", () => {
      if (isReading) onClose();
      inFlight -= kept;
    });
    stream.on("data", onData).on("end", onEnd).on("error", onError).on("close", onClose);
  });
}

const endedEarly = () => badRequest("The body ended early.");
