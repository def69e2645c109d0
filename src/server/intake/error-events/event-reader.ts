import { Worker } from "node:worker_threads";
import { HttpError } from "../../answers/errors.ts";
import type { ReaderAnswer } from "./event-reader-worker.ts";
import { readEvent, type ReadEvent } from "./read-event.ts";

/** Bytes. Parsing a larger body would delay other requests too long. */
const LARGE = 512 * 1024;

type Waiting = { resolve: (event: ReadEvent) => void; reject: (error: Error) => void };

/** Reads ordinary events on the main thread, and large ones in a worker thread, which is started by the first of them. */
export class EventReader {
  #worker: Worker | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;

  async read(bytes: Buffer): Promise<ReadEvent> {
    return bytes.length > LARGE ? this.#readInWorker(bytes) : readEvent(bytes);
  }

  #readInWorker(bytes: Buffer): Promise<ReadEvent> {
    const id = ++this.#count;
    // A large buffer usually has an ArrayBuffer of its own, which can be transferred without a copy.
    const body =
      bytes.byteLength === bytes.buffer.byteLength ? bytes : Buffer.from(new Uint8Array(bytes).buffer);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#start().postMessage({ id, body }, [body.buffer as ArrayBuffer]);
    });
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL("./event-reader-worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    worker.unref();
    worker.on("message", (answer: ReaderAnswer) => this.#settle(answer));
    worker.on("error", (error: Error) => this.#fail(worker, error));
    worker.on("exit", () => this.#fail(worker, new Error("the event reader's worker thread ended")));
    this.#worker = worker;
    return worker;
  }

  #settle(answer: ReaderAnswer) {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    // A Buffer arrives from the worker as a Uint8Array.
    if ("event" in answer)
      waiting?.resolve({ ...answer.event, fingerprint: Buffer.from(answer.event.fingerprint) });
    else {
      const { message, ...more } = answer.refusal.body;
      waiting?.reject(new HttpError(answer.refusal.status, message, more));
    }
  }

  /** If the worker dies, for example out of memory, its events fail and the next large event starts a new worker. */
  #fail(worker: Worker, error: Error) {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}
