import type { ReadEvent } from "../read-event.ts";
import { WorkerReader, type ForProject, type OnSlowRules, type Unstored } from "../worker-reader.ts";
import { readSentryBytes } from "./read-sentry-bytes.ts";
import type { Sender } from "./read-sentry-event.ts";

/** Bytes. Smaller than for native events, because every text is searched for personal data. */
const LARGE = 128 * 1_024;

/** Reads ordinary Sentry events on the main thread, and large ones and those of projects with patterns in a worker thread. */
export class SentryEventReader {
  readonly #worker: WorkerReader<Sender>;

  constructor(onSlowRules: OnSlowRules) {
    this.#worker = new WorkerReader(new URL("./sentry-event-reader-worker.ts", import.meta.url), onSlowRules);
  }

  /** 400 if the bytes are not JSON. */
  async read(bytes: Buffer, sender: Sender, project: ForProject): Promise<ReadEvent | Unstored> {
    if (!project.hasPatterns && bytes.length <= LARGE) return readSentryBytes(bytes, sender);
    return (await this.#worker.read(bytes, sender, project)) as ReadEvent | Unstored;
  }

  close(): Promise<void> {
    return this.#worker.close();
  }
}
