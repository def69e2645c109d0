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
 * Passes the body to `take` in chunks, after decompressing it by its Content-Encoding. The chunks that `take` keeps count as
 * in flight, and as much of the output as the decoder may keep. 413 beyond the limits, 415 for an unknown encoding.
 */
export async function streamBody(stream: IncomingMessage, limits: Limits, take: Take): Promise<void> {
  const encoding = encodingOf(stream);
  requireLength(stream, limits.sent);
  if (encoding === undefined) return pumpBody(stream, stream, limits.sent, take);
  const found = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
  if (!found)
    throw unsupportedType(
      `Send a body that is not compressed, or one of ${Object.keys(DECODERS).join(", ")}.`,
    );
  let sent = 0;
  const decoder = found.create();
  const count = (chunk: Buffer) => {
    sent += chunk.length;
    if (sent > limits.sent) decoder.destroy(tooLarge());
  };
  stream.on("data", count);
  try {
    const counting = countingWindow(found.window, take);
    await decompress(stream, decoder, (bytes) => pumpBody(stream, bytes, limits.decompressed, counting));
  } finally {
    stream.off("data", count);
  }
}

const [KIB, MIB] = [1_024, 1_048_576];

/** `window`: the bytes of its output that the decoder keeps, because what follows may repeat them. */
type Decoder = { create: () => Transform; window: number };

/**
 * A few kilobytes of zstd may demand a window of 128 MiB. RFC 9659 limits it to 8 MiB for Content-Encoding; a body that
 * needs a larger one is rejected.
 */
const ZSTD_WINDOW_LOG = 23;
const ZSTD = { params: { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG } };

const DECODERS: Record<string, Decoder> = {
  gzip: { create: zlib.createGunzip, window: 32 * KIB },
  deflate: { create: zlib.createInflate, window: 32 * KIB },
  br: { create: zlib.createBrotliDecompress, window: 16 * MIB },
  zstd: { create: () => zlib.createZstdDecompress(ZSTD), window: 2 ** ZSTD_WINDOW_LOG },
};

/** Like `take`, but the first chunks, which fill the decoder's window, always count as kept. */
function countingWindow(window: number, take: Take): Take {
  let size = 0;
  return (chunk) => {
    size += chunk.length;
    const isKept = take(chunk);
    if (size > window) return isKept;
    return isKept instanceof Promise ? isKept.then(() => true) : true;
  };
}

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
    // A few bytes can decompress to gigabytes, so stop when the body is rejected.
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
