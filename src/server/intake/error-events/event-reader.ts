import { readEvent, type ReadEvent, type ReadingOptions } from "./read-event.ts";
import { WorkerReader } from "./worker-reader.ts";

/** Bytes. Parsing a larger body would delay other requests too long. */
const LARGE = 512 * 1024;

/** The same if the project has privacy rules of its own. Their patterns may be slow. */
const LARGE_WITH_RULES = 8 * 1024;

/** Reads ordinary events on the main thread, and large ones in a worker thread. */
export class EventReader {
  readonly #worker = new WorkerReader<ReadingOptions>(new URL("./event-reader-worker.ts", import.meta.url));

  async read(bytes: Buffer, options: ReadingOptions): Promise<ReadEvent> {
    if (bytes.length <= (options.privacyRules === null ? LARGE : LARGE_WITH_RULES))
      return readEvent(bytes, options);
    return (await this.#worker.read(bytes, options)) as ReadEvent;
  }

  close(): Promise<void> {
    return this.#worker.close();
  }
}
