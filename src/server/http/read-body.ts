import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";
import * as zlib from "node:zlib";
import { tooLarge, unsupportedType } from "../answers/errors.ts";
import { pumpBody, type Take } from "./pump-body.ts";

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

/** Maximum numbers of bytes: as sent, and after decompression. */
type Limits = { sent: number; decompressed: number };

/**
 * Passes the body to `take` in chunks, after decompressing it by its Content-Encoding. Only chunks that `take` keeps
 * count as in flight. 413 beyond the limits, 415 for an unknown encoding.
 */
export async function streamBody(stream: IncomingMessage, limits: Limits, take: Take): Promise<void> {
  const encoding = encodingOf(stream);
  requireLength(stream, limits.sent);
  if (encoding === undefined) return pumpBody(stream, stream, limits.sent, take);
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
    await decompress(stream, decoder, (bytes) => pumpBody(stream, bytes, limits.decompressed, take));
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
  await pumpBody(request, stream, limit, (chunk) => chunks.push(chunk) > 0);
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}
