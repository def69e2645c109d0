import type { FastifyBaseLogger } from "fastify";
import { HttpError } from "../../answers/errors.ts";
import { FairTurns } from "../../batching/fair-turns.ts";
import type { Storage } from "../../files/storage/storage.ts";
import { TaskThread, TaskTimeout } from "../../ingest/patterns/task-thread.ts";
import type { MapAnswer, MapTask } from "./map-task.ts";

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
  readonly #thread: TaskThread<MapTask, MapAnswer>;
  readonly #turns: FairTurns;
  readonly #slow = new Set<number>();
  readonly #closing = new AbortController();

  constructor(storage: Storage, log: Log, options: Options = {}) {
    this.#storage = storage;
    this.#log = log;
    this.#maxMs = options.maxMs ?? MAX_MS;
    this.#thread = new TaskThread(new URL("./map-worker.ts", import.meta.url), {
      maxMemoryMb: MAX_MEMORY_MB,
      idleMs: IDLE_MS,
    });
    this.#turns = new FairTurns({ maxWaitMs: MAX_WAIT_MS });
  }

  /** Never throws because of the file. */
  async read(projectId: number, artifact: ArtifactFile, question: MapQuestion): Promise<ReadAnswer> {
    if (this.#slow.has(artifact.file_id)) return { problem: "too_slow" };
    const project = String(projectId);
    const taker = { project, credential: project, signal: this.#closing.signal };
    try {
      return await this.#turns.run(taker, () => this.#readNow(projectId, artifact, question));
    } catch (error) {
      if (error instanceof HttpError) return { problem: "busy" };
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#thread.close();
  }

  /** The file is only read if the thread does not have it any more. */
  async #readNow(projectId: number, artifact: ArtifactFile, question: MapQuestion): Promise<ReadAnswer> {
    const { file_id: fileId } = artifact;
    const first = await this.#ask(projectId, { ...question, fileId });
    if (!isNoFile(first)) return first;
    const file = await this.#load(artifact);
    if ("problem" in file) return file;
    const second = await this.#ask(projectId, { ...question, fileId, file });
    return isNoFile(second) ? { problem: "missing" } : second;
  }

  async #ask(projectId: number, task: MapTask): Promise<ReadAnswer | { problem: "no_file" }> {
    const transferred = task.file ? [task.file.buffer as ArrayBuffer] : [];
    const message = () => ({ value: task, transferred });
    try {
      const answer = await this.#thread.run({ projectId, limitMs: this.#maxMs, message });
      return "problem" in answer && answer.problem === "too_slow" ? this.#noteSlow(task.fileId) : answer;
    } catch (error) {
      if (!(error instanceof TaskTimeout) && !isOutOfMemory(error))
        this.#log.warn({ err: error, file_id: task.fileId }, "reading a source map failed");
      return this.#noteSlow(task.fileId);
    }
  }

  async #load({ storage_key, size, file_id }: ArtifactFile): Promise<Uint8Array | Unread> {
    try {
      const stream = await this.#storage.open(storage_key);
      if (!stream) return { problem: "missing" };
      const file = new Uint8Array(size);
      let length = 0;
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        if (length + chunk.length > size) return { problem: "invalid" };
        file.set(chunk, length);
        length += chunk.length;
      }
      return length === size ? file : { problem: "invalid" };
    } catch (error) {
      this.#log.warn({ err: error, file_id }, "a source map could not be loaded");
      return { problem: "unavailable" };
    }
  }

  #noteSlow(fileId: number): Unread {
    const [oldest] = this.#slow;
    if (oldest !== undefined && this.#slow.size === MAX_SLOW_FILES) this.#slow.delete(oldest);
    this.#slow.add(fileId);
    return { problem: "too_slow" };
  }
}

const isNoFile = (answer: { problem: string } | object): answer is { problem: "no_file" } =>
  "problem" in answer && answer.problem === "no_file";

const isOutOfMemory = (error: unknown) =>
  (error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY";
