import type { IncomingMessage, ServerResponse } from "node:http";
import { addInFlight, hasRoomInFlight, senderOf } from "../../http/bytes-in-flight.ts";

/** A copy of a body as it was sent, which is made while the body is read. Its bytes count as in flight while it is made. */
export type BodyCopy = {
  /** Undefined if there was no room for the copy. */
  take: () => Buffer | undefined;
  /** Forgets what has been copied, and copies no more. */
  stop: () => void;
};

/** Call this immediately before the body is read. */
export function copyBody(request: IncomingMessage, response: ServerResponse): BodyCopy {
  const sender = senderOf(response);
  let chunks: Buffer[] = [];
  let size = 0;
  let hasRoom = true;
  const add = (chunk: Buffer) => {
    hasRoom = hasRoomInFlight(chunk.length, sender);
    if (!hasRoom) return stop();
    addInFlight(chunk.length, sender);
    size += chunk.length;
    chunks.push(chunk);
  };
  const stop = () => {
    request.off("data", add);
    response.off("close", stop);
    addInFlight(-size, sender);
    size = 0;
    chunks = [];
  };
  const take = () => {
    const body = hasRoom ? joined(chunks, size) : undefined;
    stop();
    return body;
  };
  request.on("data", add);
  response.once("close", stop);
  return { take, stop };
}

/** Bytes in memory of their own: a chunk may be a small part of a large buffer, which would stay in memory with it. */
export function joined(chunks: readonly Buffer[], size: number): Buffer {
  const bytes = takeSpare(size) ?? Buffer.allocUnsafeSlow(size);
  let at = 0;
  for (const chunk of chunks) at += chunk.copy(bytes, at);
  return bytes;
}

/**
 * Memory of copies that were dropped, for the next ones: under load, allocating and collecting it takes longer than copying into it. At most
 * 4 MB.
 */
const spare: ArrayBufferLike[] = [];
const MAX_SPARE = 64;
const MAX_SPARE_BYTES = 65_536;

/** Call this when nothing refers to the copy any more. */
export function reuse({ buffer }: Buffer): void {
  if (buffer.byteLength <= MAX_SPARE_BYTES && spare.length < MAX_SPARE) spare.push(buffer);
}

function takeSpare(size: number): Buffer | undefined {
  const memory = spare.pop();
  // Small bodies must not take large memory: the limit of what waits counts their bytes.
  const fits = memory !== undefined && memory.byteLength >= size && memory.byteLength <= 2 * size;
  return fits ? Buffer.from(memory, 0, size) : undefined;
}
