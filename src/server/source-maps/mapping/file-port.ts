import { receiveMessageOnPort, type MessagePort } from "node:worker_threads";

/**
 * Sends the chunks of a file to another thread, which may receive them later. They are transferred: a buffer of the whole file would make
 * V8 collect the garbage of this thread. Returns the size of the file, or undefined as soon as it exceeds `maxSize`.
 */
export async function sendFile(
  port: MessagePort,
  chunks: AsyncIterable<Buffer>,
  maxSize: number,
): Promise<number | undefined> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxSize) return undefined;
    // A small chunk shares its memory with others.
    const isWhole = chunk.byteLength === chunk.buffer.byteLength;
    port.postMessage(chunk, isWhole ? [chunk.buffer as ArrayBuffer] : []);
  }
  return size;
}

/** The file that was sent completely before. */
export function receiveFile(port: MessagePort): Buffer {
  const chunks: Uint8Array[] = [];
  for (;;) {
    const received = receiveMessageOnPort(port);
    if (!received) return Buffer.concat(chunks);
    chunks.push(received.message as Uint8Array);
  }
}
