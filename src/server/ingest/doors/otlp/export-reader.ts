import { TaskThread, TaskTimeout } from "../../patterns/task-thread.ts";
import { tooLarge } from "../../../answers/errors.ts";
import { readExport, type Encoding, type Export, type ExportTask } from "../../read/otlp/read-export.ts";

/** Bytes. Reading a larger body would delay other requests too long. */
const LARGE = 128 * 1_024;

/** Milliseconds of CPU time in the thread, plus those for each byte. Reading takes less than a tenth of it. */
const MAX_MS = 1_000;
const MAX_MS_PER_BYTE = 0.002;

/** Milliseconds. Few programs send large bodies. */
const IDLE_MS = 60_000;

/** Reads ordinary bodies on the main thread, and large ones in a worker thread, in which projects take turns. */
export class ExportReader {
  readonly #thread = new TaskThread<ExportTask, Export>(
    new URL("./export-reader-worker.ts", import.meta.url),
    {
      idleMs: IDLE_MS,
    },
  );

  /** Throws like `readExport`; 413 if reading takes too long. */
  async read(body: Buffer, encoding: Encoding, projectId: number): Promise<Export> {
    if (body.length <= LARGE) return readExport(body, encoding);
    const message = () => {
      const copy = new Uint8Array(body);
      return { value: { body: copy, encoding }, transferred: [copy.buffer] };
    };
    try {
      return await this.#thread.run({ projectId, limitMs: MAX_MS + body.length * MAX_MS_PER_BYTE, message });
    } catch (error) {
      throw error instanceof TaskTimeout ? tooLarge("Reading the body takes too long.") : error;
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
