import { fork, type ChildProcess } from "node:child_process";
import { overloaded } from "../answers/errors.ts";
import {
  OUT_OF_MEMORY,
  type Examined,
  type ExamineTask,
  type Square,
  type SquareTask,
  type WorkerAnswer,
} from "./worker-messages.ts";

const TIMEOUT_MS = 10_000;
/** Bytes. Converting an image of 50 million pixels takes about 600 MiB. */
const MEMORY_LIMIT = 1_024 * 1_048_576;
/** The memory of a conversion is released only when the process ends, so an idle process is ended. */
const IDLE_MS = 30_000;
const MAX_WAITING = 200;

/**
 * Examines files and converts images in a separate process: one file at a time, at most ten seconds and 1 GiB of memory
 * each. A file that crashes the process does not affect the server; the next file gets a new process.
 */
export class FileExaminer {
  #process: ChildProcess | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #idle: NodeJS.Timeout | undefined;
  readonly #timeoutMs: number;

  constructor(timeoutMs = TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs;
  }

  /** Checks that a file's content matches its name, and converts images to WebP. 503 if 200 files are waiting already. */
  examine(task: ExamineTask): Promise<Examined> {
    return this.#enqueue<Examined>(task);
  }

  /** Crops an image to a small square. 503 if 200 files are waiting already. */
  square(task: SquareTask): Promise<Square> {
    return this.#enqueue<Square>(task);
  }

  close(): void {
    this.#end();
  }

  async #enqueue<Answer extends Examined | Square>(task: ExamineTask | SquareTask): Promise<Answer> {
    if (this.#waiting >= MAX_WAITING) throw overloaded();
    this.#waiting++;
    const turn = this.#turn.then(() => this.#run(task));
    this.#turn = turn.catch(() => {});
    const answer = await turn.finally(() => this.#waiting--);
    if ("failed" in answer) throw new Error(`a file could not be examined: ${answer.failed}`);
    return answer as Answer;
  }

  async #run(task: ExamineTask | SquareTask): Promise<WorkerAnswer> {
    clearTimeout(this.#idle);
    const child = (this.#process ??= this.#start());
    const { promise, resolve } = Promise.withResolvers<WorkerAnswer>();
    const timeout = setTimeout(() => {
      this.#end();
      resolve({ refused: "takes too long to convert" });
    }, this.#timeoutMs);
    const onExit = (code: number | null, signal: string | null) => {
      const isOutOfMemory = signal !== null || code === OUT_OF_MEMORY;
      resolve(
        isOutOfMemory
          ? { refused: "takes too much memory to convert" }
          : { failed: `the process ended with ${code}` },
      );
    };
    child.once("message", (answer: WorkerAnswer) => resolve(answer));
    child.once("exit", onExit);
    child.send(task, (error) => error && resolve({ failed: error.message }));
    try {
      return await promise;
    } finally {
      clearTimeout(timeout);
      child.removeAllListeners("message").off("exit", onExit);
      this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
    }
  }

  /** The process gets an empty environment: a file that exploits a decoder must not find the server's passwords there. */
  #start(): ChildProcess {
    const child = fork(new URL("./file-worker.ts", import.meta.url), [String(MEMORY_LIMIT)], {
      env: { MALLOC_ARENA_MAX: "2" },
      execArgv: ["--max-old-space-size=256"],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    child.on("error", () => {});
    child.once("exit", () => {
      if (this.#process === child) this.#process = undefined;
    });
    child.unref();
    child.channel?.unref();
    return child;
  }

  #end() {
    clearTimeout(this.#idle);
    this.#process?.kill("SIGKILL");
    this.#process = undefined;
  }
}
