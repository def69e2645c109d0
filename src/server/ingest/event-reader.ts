import type { ProjectRules } from "./project-rules/project-rules.ts";
import type { How } from "./read-by-protocol.ts";
import { readBody } from "./read-by-protocol.ts";
import { WorkerReader, type OnSlowRules, type Reading } from "./read/worker-reader.ts";
import type { Sender } from "./sender.ts";

/** Bytes. Reading a larger body would delay other requests too long: all texts of other than native events are searched for personal data. */
const LARGE = { native: 512 * 1_024, sentry: 128 * 1_024, otlp: 128 * 1_024 };

/** Reads ordinary events on the main thread, and large ones and those of projects with patterns in a worker thread. */
export class EventReader {
  readonly #worker: WorkerReader<How>;

  constructor(onSlowRules: OnSlowRules) {
    this.#worker = new WorkerReader(new URL("./event-reader-worker.ts", import.meta.url), onSlowRules);
  }

  /** 400 if the body is not JSON; for a native event 413 or 422 if it is not valid. */
  async read(body: Buffer, sender: Sender, rules: ProjectRules): Promise<Reading> {
    const how = howToRead(sender, rules);
    const { hasPatterns } = rules;
    if (!hasPatterns && body.length <= LARGE[how.protocol]) return readBody(body, how);
    return this.#worker.read(body, how, { projectId: sender.projectId, hasPatterns });
  }

  close(): Promise<void> {
    return this.#worker.close();
  }
}

function howToRead({ origin, userAgent, sentry, isOtlp }: Sender, rules: ProjectRules): How {
  const { keepVars, privacyRules, inboundRules, userHashSecret } = rules;
  const common = { origin, userAgent, keepVars, privacyRules, inboundRules };
  if (isOtlp) return { ...common, userHashSecret, protocol: "otlp" };
  return sentry ? { ...common, ...sentry, protocol: "sentry" } : { ...common, protocol: "native" };
}
