import { MessageChannel, type MessagePort } from "node:worker_threads";
import type { FastifyBaseLogger } from "fastify";
import type { Storage } from "../../files/storage/storage.ts";
import { TaskNotStarted, TaskThread, TaskTimeout } from "../../ingest/patterns/task-thread.ts";
import { sendFile } from "./file-port.ts";
import type { MapAnswer, MapMessage, MapTask } from "./map-task.ts";

/** CPU time for parsing a map and finding positions in it. */
const MAX_MS = 10_000;
/** How long a map may wait until others have been parsed. */
const MAX_WAIT_MS = 10_000;
/** Parsed maps take much memory. */
const IDLE_MS = 300_000;
const MAX_MEMORY_MB = 1_024;
/** Files that took too long are not tried again. */
const MAX_SLOW_FILES = 1_000;

export type ArtifactFile = { file_id: number; storage_key: string; size: number };

/** A task without what the reader adds. */
export type MapQuestion =
  | Omit<Extract<MapTask, { type: "source_map" }>, "fileId" | "file">
  | Omit<Extract<MapTask, { type: "source" }>, "fileId" | "file">
  | { type: "index" };

/** `busy`: too many maps are waiting. `missing`: the file is not in the store. `unavailable`: the store does not answer. */
export type Unread = { problem: "invalid" | "too_slow" | "busy" | "missing" | "unavailable" };

export type ReadAnswer = Exclude<MapAnswer, { problem: string }> | Unread;

type Log = Pick<FastifyBaseLogger, "warn">;
type Options = { maxMs?: number };

/**
 * Finds positions in source maps and sources, one file at a time, in a thread that keeps the latest ones. A file that takes too
 * much time or memory ends the thread.
 */
export class SourceMapReader {
  readonly #storage: Storage;
  readonly #log: Log;
  readonly #maxMs: number;
  readonly #thread: TaskThread<MapMessage, MapAnswer>;
  readonly #slow = new Set<number>();

  constructor(storage: Storage, log: Log, options: Options = {}) {
    this.#storage = storage;
    this.#log = log;
    this.#maxMs = options.maxMs ?? MAX_MS;
    this.#thread = new TaskThread(new URL("./map-worker.ts", import.meta.url), {
      maxMemoryMb: MAX_MEMORY_MB,
      idleMs: IDLE_MS,
    });
  }

  /** Never throws because of the file. The file is only loaded if the thread does not have it any more. */
  async read(projectId: number, artifact: ArtifactFile, question: MapQuestion): Promise<ReadAnswer> {
    const { file_id: fileId } = artifact;
    if (this.#slow.has(fileId)) return { problem: "too_slow" };
    const { port1, port2 } = new MessageChannel();
    try {
      const answer = await this.#thread.run({
        projectId,
        limitMs: this.#maxMs,
        maxWaitMs: MAX_WAIT_MS,
        message: () => ({ value: { ...question, fileId } }),
        followUp: async (first) => {
          if (!isNoFile(first)) return undefined;
          await this.#load(artifact, port1);
          return { value: { ...question, fileId, file: port2 }, transferred: [port2] };
        },
      });
      if (isNoFile(answer)) return { problem: "missing" };
      return "problem" in answer && answer.problem === "too_slow" ? this.#noteSlow(fileId) : answer;
    } catch (error) {
      return this.#describeFailure(error, fileId);
    } finally {
      // Also drops what the thread has not received.
      port1.close();
    }
  }

  async close(): Promise<void> {
    await this.#thread.close();
  }

  async #load({ storage_key, size, file_id }: ArtifactFile, port: MessagePort): Promise<void> {
    let sent: number | undefined;
    try {
      const stream = await this.#storage.open(storage_key);
      if (!stream) throw new UnloadedFile("missing");
      sent = await sendFile(port, stream, size);
    } catch (error) {
      if (error instanceof UnloadedFile) throw error;
      this.#log.warn({ err: error, file_id }, "a source map could not be loaded");
      throw new UnloadedFile("unavailable");
    }
    if (sent !== size) throw new UnloadedFile("invalid");
  }

  #describeFailure(error: unknown, fileId: number): Unread {
    if (error instanceof UnloadedFile) return { problem: error.problem };
    if (error instanceof TaskNotStarted) return { problem: "busy" };
    if (!(error instanceof TaskTimeout) && !isOutOfMemory(error))
      this.#log.warn({ err: error, file_id: fileId }, "reading a source map failed");
    return this.#noteSlow(fileId);
  }

  #noteSlow(fileId: number): Unread {
    const [oldest] = this.#slow;
    if (oldest !== undefined && this.#slow.size === MAX_SLOW_FILES) this.#slow.delete(oldest);
    this.#slow.add(fileId);
    return { problem: "too_slow" };
  }
}

class UnloadedFile extends Error {
  readonly problem: "missing" | "invalid" | "unavailable";

  constructor(problem: UnloadedFile["problem"]) {
    super(`a source map is ${problem}`);
    this.problem = problem;
  }
}

const isNoFile = (answer: { problem: string } | object): answer is { problem: "no_file" } =>
  "problem" in answer && answer.problem === "no_file";

const isOutOfMemory = (error: unknown) =>
  (error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY";
