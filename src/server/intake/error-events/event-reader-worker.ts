import { parentPort } from "node:worker_threads";
import { HttpError } from "../../answers/errors.ts";
import { readEvent, type ReadEvent } from "./read-event.ts";

export type ReaderAnswer =
  | { id: number; event: ReadEvent }
  | { id: number; refusal: { status: number; body: { message: string } & Record<string, unknown> } };

/** The worker thread that EventReader starts. It reads one body at a time. */
parentPort?.on("message", ({ id, body }: { id: number; body: Uint8Array }) => {
  parentPort?.postMessage(answer(id, Buffer.from(body.buffer, body.byteOffset, body.byteLength)));
});

function answer(id: number, bytes: Buffer): ReaderAnswer {
  try {
    return { id, event: readEvent(bytes) };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { id, refusal: { status: error.status, body: error.body as { message: string } } };
  }
}
