import type { SlowRule } from "../drop-events/dropping-rule.ts";
import { TaskTimeout, type TaskThread } from "../patterns/task-thread.ts";
import { additionsOf, type ReadEvent } from "./read-event.ts";
import type { Unstored } from "./unstored.ts";

export type Reading = ReadEvent | Unstored;

export type Question<How> = { body: Uint8Array; how: How };
export type Answer = { event: Reading; slow: SlowRule[] };

/** The project that an event is for, and whether it has rules with patterns, which are never tried on the main thread. */
export type ForProject = { projectId: number; hasPatterns: boolean };

/** Called with inbound rules that took too long. Must not throw. */
export type OnSlowRules = (rules: SlowRule[]) => void;

/** Milliseconds of CPU time. The patterns of an ordinary event take less than a thousandth of it. */
const MAX_MS = 1_000;
/** Added for each byte. Reading takes less than a tenth of it. */
const MAX_MS_PER_BYTE = 0.002;

/** Reads events in a worker thread, in which projects take turns. `How` is the type of the reading options. */
export class WorkerReader<How extends object> {
  readonly #thread: TaskThread<Question<How>, Answer>;
  readonly #onSlowRules: OnSlowRules;
  readonly #maxMs: number;

  /** The thread answers with `answerQuestion`, and may have other tasks, too. `maxMs` applies to projects with patterns. */
  constructor(thread: TaskThread<Question<How>, Answer>, onSlowRules: OnSlowRules, maxMs = MAX_MS) {
    this.#thread = thread;
    this.#onSlowRules = onSlowRules;
    this.#maxMs = maxMs;
  }

  /**
   * May transfer the bytes to the worker: `bytes` is then empty. If the patterns of the project take far too long, the event is
   * read as if they had used up their time.
   */
  async read(bytes: Buffer, how: How, { projectId, hasPatterns }: ForProject): Promise<Reading> {
    const readMs = bytes.length * MAX_MS_PER_BYTE;
    const ask = (limitMs: number, value: How, mayTransfer: boolean) =>
      this.#thread.run({ projectId, limitMs, message: () => toQuestion(bytes, value, mayTransfer) });
    try {
      return this.#take(await ask((hasPatterns ? this.#maxMs : MAX_MS) + readMs, how, !hasPatterns));
    } catch (error) {
      if (!hasPatterns || !(error instanceof TaskTimeout)) throw error;
      return this.#take(await ask(MAX_MS + readMs, { ...how, rulesMs: 0 }, true));
    }
  }

  #take({ event, slow }: Answer): Reading {
    if (slow.length > 0) this.#onSlowRules(slow);
    return withBuffer(event);
  }
}

/** A large buffer usually has an ArrayBuffer of its own, which can be transferred without a copy. */
function toQuestion<How>(bytes: Buffer, how: How, mayTransfer: boolean) {
  const isWhole = bytes.byteLength === bytes.buffer.byteLength;
  const body = mayTransfer && isWhole ? bytes : new Uint8Array(bytes);
  return { value: { body, how }, transferred: [body.buffer as ArrayBuffer] };
}

/** A Buffer arrives from the worker as a Uint8Array. */
const withBuffer = (event: Reading): Reading =>
  "fingerprint" in event ? { ...event, fingerprint: Buffer.from(event.fingerprint) } : event;

/** A function cannot be sent to another thread. */
const withAdditions = (event: Reading): Reading =>
  "fingerprint" in event ? { ...event, additions: additionsOf(event) } : event;

/** Call in the worker thread. `read` adds the inbound rules that take too long to `slow`. */
export function answerQuestion<How>(
  { body, how }: Question<How>,
  read: (bytes: Buffer, how: How, slow: SlowRule[]) => Reading,
): Answer {
  const slow: SlowRule[] = [];
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return { event: withAdditions(read(bytes, how, slow)), slow };
}
