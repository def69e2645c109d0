import { gunzipSync } from "node:zlib";

/** Bytes after decompression, which takes less than a millisecond for so many. */
const MOST_DECOMPRESSED = 256 * 1_024;

/** Bytes that follow compressed data: its checksum, and then its size before compression. */
const TRAILER = 8;

/**
 * The decompressed body, in memory that it shares with no other buffer. It should be freed as soon as it has been read: until old
 * objects are collected, it is referred to by the stream that Node makes for each call. Undefined if the body is large or
 * not gzip, so that the route must judge it.
 */
export function decompressed(body: Buffer): Buffer | undefined {
  const size = body.length > TRAILER ? body.readUInt32LE(body.length - 4) : 0;
  if (size > MOST_DECOMPRESSED) return undefined;
  // Anything smaller would be a part of Node's pool. With one byte more than the size, zlib does not ask for more room.
  const chunkSize = Math.max(Buffer.poolSize >>> 1, size + 1);
  try {
    return gunzipSync(body, { chunkSize, maxOutputLength: MOST_DECOMPRESSED });
  } catch {
    return undefined;
  }
}
