import type { Dropped } from "../drop-events/dropping-rule.ts";
import type { ReadEvent } from "./read-event.ts";
import { readUnlessDropped, type NativeOptions } from "./read-unless-dropped.ts";
import { WorkerReader, type ForProject, type OnSlowRules } from "./worker-reader.ts";

/** Bytes. Parsing a larger body would delay other requests too long. */
const LARGE = 512 * 1024;

/** Reads ordinary events on the main thread, and large ones and those of projects with patterns in a worker thread. */
export class EventReader {
  readonly #worker: WorkerReader<NativeOptions>;

  constructor(onSlowRules: OnSlowRules) {
    this.#worker = new WorkerReader(new URL("./event-reader-worker.ts", import.meta.url), onSlowRules);
  }

  async read(bytes: Buffer, options: NativeOptions, project: ForProject): Promise<ReadEvent | Dropped> {
    if (!project.hasPatterns && bytes.length <= LARGE) return readUnlessDropped(bytes, options);
    return (await this.#worker.read(bytes, options, project)) as ReadEvent | Dropped;
  }

  close(): Promise<void> {
    return this.#worker.close();
  }
}
