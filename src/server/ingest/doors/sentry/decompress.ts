import { gunzipSync } from "node:zlib";

/** Bytes. Decompressing this many takes less than a millisecond. */
const MAX_DECOMPRESSED = 256 * 1_024;

/** Bytes after the compressed data: its checksum and its original size. */
const TRAILER = 8;

/**
 * Decompresses the body into memory that it shares with no other buffer. Free it as soon as it has been read: the stream that
 * Node creates for each call refers to it until the next garbage collection of old objects. Undefined if the body is large or
 * not gzip, so that the route must handle it.
 */
export function decompressed(body: Buffer): Buffer | undefined {
  const size = body.length > TRAILER ? body.readUInt32LE(body.length - 4) : 0;
  if (size > MAX_DECOMPRESSED) return undefined;
  // A smaller chunk would be a slice of Node's pool. With a byte to spare, zlib does not allocate another chunk.
  const chunkSize = Math.max(Buffer.poolSize >>> 1, size + 1);
  try {
    return gunzipSync(body, { chunkSize, maxOutputLength: MAX_DECOMPRESSED });
  } catch {
    return undefined;
  }
}
