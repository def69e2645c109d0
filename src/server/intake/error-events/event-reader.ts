import type { Dropped } from "../inbound-rules/dropping-rule.ts";
import type { ReadEvent } from "./read-event.ts";
import { readUnlessDropped, type NativeOptions } from "./read-unless-dropped.ts";
import { WorkerReader } from "./worker-reader.ts";

/** Bytes. Parsing a larger body would delay other requests too long. */
const LARGE = 512 * 1024;

/** The limit for a project with its own privacy rules, whose patterns may be slow. */
const LARGE_WITH_RULES = 8 * 1024;

/** Reads ordinary events on the main thread, and large ones in a worker thread. */
export class EventReader {
  readonly #worker = new WorkerReader<NativeOptions>(new URL("./event-reader-worker.ts", import.meta.url));

  async read(bytes: Buffer, options: NativeOptions): Promise<ReadEvent | Dropped> {
    if (bytes.length <= (options.privacyRules === null ? LARGE : LARGE_WITH_RULES))
      return readUnlessDropped(bytes, options);
    return (await this.#worker.read(bytes, options)) as ReadEvent | Dropped;
  }

  close(): Promise<void> {
    return this.#worker.close();
  }
}
