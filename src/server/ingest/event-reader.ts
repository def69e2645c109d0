import { tooLarge } from "../answers/errors.ts";
import { TaskThread, TaskTimeout } from "./patterns/task-thread.ts";
import type { ProjectRules } from "./project-rules/project-rules.ts";
import type { How } from "./read-by-protocol.ts";
import { readBody } from "./read-by-protocol.ts";
import type { Encoding, Export, ExportTask } from "./read/otlp/read-export.ts";
import {
  WorkerReader,
  type Answer,
  type OnSlowRules,
  type Question,
  type Reading,
} from "./read/worker-reader.ts";
import type { Sender } from "./sender.ts";

/** Bytes. Reading a larger body would delay other requests too long: all texts of other than native events are searched for personal data. */
export const LARGE = { native: 512 * 1_024, sentry: 128 * 1_024, otlp: 128 * 1_024 };

/** Milliseconds of CPU time for a request from OpenTelemetry, plus those for each byte. Reading takes less than a tenth of it. */
const EXPORT_MS = 1_000;
const EXPORT_MS_PER_BYTE = 0.002;

type Thread = TaskThread<Question<How> | ExportTask, Answer | Export>;

/** Reads ordinary events on the main thread, and large ones and those of projects with patterns in a worker thread. */
export class EventReader {
  readonly #thread: Thread = new TaskThread(new URL("./event-reader-worker.ts", import.meta.url));
  readonly #worker: WorkerReader<How>;

  constructor(onSlowRules: OnSlowRules) {
    this.#worker = new WorkerReader(this.#thread as TaskThread<Question<How>, Answer>, onSlowRules);
  }

  /** 400 if the body is not JSON; for a native event 413 or 422 if it is not valid. */
  async read(body: Buffer, sender: Sender, rules: ProjectRules): Promise<Reading> {
    const how = howToRead(sender, rules);
    const { hasPatterns } = rules;
    if (!hasPatterns && body.length <= LARGE[how.protocol]) return readBody(body, how);
    return this.#worker.read(body, how, { projectId: sender.projectId, hasPatterns });
  }

  /** Reads the body of a large request from OpenTelemetry in the worker thread. 413 if that takes too long. */
  async readExport(body: Buffer, encoding: Encoding, projectId: number): Promise<Export> {
    const limitMs = EXPORT_MS + body.length * EXPORT_MS_PER_BYTE;
    const message = () => {
      const copy = new Uint8Array(body);
      return { value: { body: copy, encoding }, transferred: [copy.buffer] };
    };
    try {
      return (await this.#thread.run({ projectId, limitMs, message })) as Export;
    } catch (error) {
      throw error instanceof TaskTimeout ? tooLarge("Reading the body takes too long.") : error;
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}

function howToRead({ origin, userAgent, sentry, isOtlp }: Sender, rules: ProjectRules): How {
  const { keepVars, privacyRules, inboundRules, userHashSecret } = rules;
  const common = { origin, userAgent, keepVars, privacyRules, inboundRules };
  if (isOtlp) return { ...common, userHashSecret, protocol: "otlp" };
  return sentry ? { ...common, ...sentry, protocol: "sentry" } : { ...common, protocol: "native" };
}
