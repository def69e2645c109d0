import type { ReadEvent } from "../error-events/read-event.ts";
import { WorkerReader, type Unstored } from "../error-events/worker-reader.ts";
import { readSentryBytes } from "./read-sentry-bytes.ts";
import type { Sender } from "./read-sentry-event.ts";

/** Bytes. Smaller than for native events, because every text is searched for personal data. */
const LARGE = 128 * 1_024;

/** The limit for a project with its own privacy rules, whose patterns may be slow. */
const LARGE_WITH_RULES = 8 * 1_024;

/** Reads ordinary Sentry events on the main thread, and large ones in a worker thread. */
export class SentryEventReader {
  readonly #worker = new WorkerReader<Sender>(new URL("./sentry-event-reader-worker.ts", import.meta.url));

  /** 400 if the bytes are not JSON. */
  async read(bytes: Buffer, sender: Sender): Promise<ReadEvent | Unstored> {
    const large = sender.settings.privacyRules === null ? LARGE : LARGE_WITH_RULES;
    if (bytes.length <= large) return readSentryBytes(bytes, sender);
    return (await this.#worker.read(bytes, sender)) as ReadEvent | Unstored;
  }

  close(): Promise<void> {
    return this.#worker.close();
  }
}
