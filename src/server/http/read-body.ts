import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";
import { tooLarge, unsupportedType } from "../answers/errors.ts";
import { openDecoder } from "./decoders.ts";
import { expectedBody, pumpBody, type Take } from "./pump-body.ts";

/** Reads the whole body. 413 if it exceeds `limit` bytes, by its declared or by its actual length. */
export async function readBytes(stream: IncomingMessage, limit: number): Promise<Buffer> {
  requireLength(stream, limit);
  return collect(stream, stream, limit);
}

/** Like `readBytes`, for a body that may be compressed with gzip. The limit applies before and after decompression. */
export async function readMaybeGzip(stream: IncomingMessage, limit: number): Promise<Buffer> {
  const encoding = encodingOf(stream);
  if (encoding === undefined) return readBytes(stream, limit);
  requireLightEncoding(stream);
  requireLength(stream, limit);
  return decompress(stream, encoding, (bytes) => collect(stream, bytes, limit));
}

/** 415 for encodings other than gzip, whose decoders use more memory or are not needed. */
export function requireLightEncoding(stream: IncomingMessage): void {
  const encoding = encodingOf(stream);
  if (encoding !== undefined && encoding !== "gzip")
    throw unsupportedType("Only gzip is supported for compressed bodies.");
}

/** Maximum numbers of bytes: as sent, and after decompression. */
type Limits = { sent: number; decompressed: number };

/**
 * Passes the body to `take` in chunks, after decompressing it by its Content-Encoding. The chunks that `take` keeps count as
 * in flight, and the decoder's memory while it reads. 413 beyond the limits, 415 for an unknown encoding.
 */
export async function streamBody(stream: IncomingMessage, limits: Limits, take: Take): Promise<void> {
  const encoding = encodingOf(stream);
  requireLength(stream, limits.sent);
  if (encoding === undefined) return pumpBody(stream, stream, limits.sent, take);
  await decompress(stream, encoding, async (decoder) => {
    let sent = 0;
    const count = (chunk: Buffer) => {
      sent += chunk.length;
      if (sent > limits.sent) decoder.destroy(tooLarge());
    };
    stream.on("data", count);
    await pumpBody(stream, decoder, limits.decompressed, take).finally(() => stream.off("data", count));
  });
}

/** Undefined if the body is not compressed. */
function encodingOf(stream: IncomingMessage): string | undefined {
  const encoding = stream.headers["content-encoding"]?.trim().toLowerCase();
  return encoding === "identity" || encoding === "" ? undefined : encoding;
}

function requireLength(stream: IncomingMessage, limit: number): void {
  if (Number(stream.headers["content-length"] ?? 0) > limit) throw tooLarge();
}

async function decompress<T>(
  stream: IncomingMessage,
  encoding: string,
  read: (bytes: Transform) => Promise<T>,
): Promise<T> {
  const { response, address } = expectedBody(stream);
  const decoder = openDecoder(encoding, { response, address: address() });
  stream.on("error", (error) => decoder.stream.destroy(error));
  stream.pipe(decoder.stream);
  try {
    return await read(decoder.stream);
  } finally {
    // A few bytes can decompress to gigabytes, so stop when the body is rejected.
    stream.unpipe(decoder.stream).resume();
    decoder.close();
  }
}

/** Collects the bytes of `stream`, which is the request or its decompressed body. */
async function collect(request: IncomingMessage, stream: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  await pumpBody(request, stream, limit, (chunk) => chunks.push(chunk) > 0);
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}
