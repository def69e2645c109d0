import { parentPort, Worker } from "node:worker_threads";
import { HttpError } from "../../answers/errors.ts";
import type { Dropped } from "../inbound-rules/dropping-rule.ts";
import { additionsOf, type ReadEvent } from "./read-event.ts";

/**
 * What remains of what an SDK sent as an event if it is not stored: its id, how it counts, and the rule that dropped it if one
 * did.
 */
export type Unstored = {
  event_id: string | null;
  outcome: "filtered" | "discarded";
  droppedBy: number | undefined;
};

type Reading = ReadEvent | Dropped | Unstored;

type Question<How> = { id: number; body: Uint8Array; how: How };
type Answer =
  | { id: number; event: Reading }
  | { id: number; refusal: { status: number; body: { message: string } & Record<string, unknown> } };

type Waiting = { resolve: (event: Reading) => void; reject: (error: Error) => void };

/** Reads events in a worker thread, which the first event starts. `How` is the type of the reading options. */
export class WorkerReader<How> {
  readonly #url: URL;
  #worker: Worker | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;

  /** `url` is a module that calls `answerWorkerReader`. */
  constructor(url: URL) {
    this.#url = url;
  }

  /** May transfer the bytes to the worker: `bytes` is then empty. */
  read(bytes: Buffer, how: How): Promise<Reading> {
    const id = ++this.#count;
    // A large buffer usually has an ArrayBuffer of its own, which can be transferred without a copy.
    const body =
      bytes.byteLength === bytes.buffer.byteLength ? bytes : Buffer.from(new Uint8Array(bytes).buffer);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#start().postMessage({ id, body, how } satisfies Question<How>, [body.buffer as ArrayBuffer]);
    });
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(this.#url, { resourceLimits: { maxOldGenerationSizeMb: 512 } });
    worker.unref();
    worker.on("message", (answer: Answer) => this.#settle(answer));
    worker.on("error", (error: Error) => this.#fail(worker, error));
    worker.on("exit", () => this.#fail(worker, new Error("the event reader's worker thread ended")));
    this.#worker = worker;
    return worker;
  }

  #settle(answer: Answer) {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ("event" in answer) waiting?.resolve(withBuffer(answer.event));
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

/** A Buffer arrives from the worker as a Uint8Array. */
const withBuffer = (event: Reading): Reading =>
  "fingerprint" in event ? { ...event, fingerprint: Buffer.from(event.fingerprint) } : event;

/** A function cannot be sent to another thread. */
const withAdditions = (event: Reading): Reading =>
  "fingerprint" in event ? { ...event, additions: additionsOf(event) } : event;

/** Call in the worker thread. It reads one body at a time. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names what both sides agree on
export function answerWorkerReader<How>(read: (bytes: Buffer, how: How) => Reading): void {
  const answer = ({ id, body, how }: Question<How>): Answer => {
    try {
      return {
        id,
        event: withAdditions(read(Buffer.from(body.buffer, body.byteOffset, body.byteLength), how)),
      };
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      return { id, refusal: { status: error.status, body: error.body as { message: string } } };
    }
  };
  parentPort?.on("message", (question: Question<How>) => parentPort?.postMessage(answer(question)));
}
