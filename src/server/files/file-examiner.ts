import { fork, type ChildProcess } from "node:child_process";
import { overloaded } from "../answers/errors.ts";
import {
  OUT_OF_MEMORY,
  type Examined,
  type Square,
  type SquareTask,
  type Task,
  type Verdict,
} from "./worker-messages.ts";

const TIMEOUT_MS = 10_000;
/** An image of 50 million pixels takes some 600 MiB to read and to write. */
const MEMORY_LIMIT = 1_024 * 1_048_576;
/** What a conversion took is only given back when the process ends. */
const IDLE_MS = 30_000;
const MOST_WAITING = 200;

/**
 * Looks at files, and converts images, in a process of its own: one file at a time, at most ten seconds and a GiB each
 * (reliability.md, Files). Whatever a file does to that process, the server goes on, and the next file gets a new one.
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

  /** 503 when too many files wait already. */
  examine(task: Task): Promise<Examined> {
    return this.#next<Examined>(task);
  }

  /** The same for an image that becomes a small square. */
  square(task: SquareTask): Promise<Square> {
    return this.#next<Square>(task);
  }

  close(): void {
    this.#end();
  }

  async #next<Answer extends Examined | Square>(task: Task | SquareTask): Promise<Answer> {
    if (this.#waiting >= MOST_WAITING) throw overloaded();
    this.#waiting++;
    const turn = this.#turn.then(() => this.#examineNow(task));
    this.#turn = turn.catch(() => {});
    const verdict = await turn.finally(() => this.#waiting--);
    if ("failed" in verdict) throw new Error(`a file could not be examined: ${verdict.failed}`);
    return verdict as Answer;
  }

  async #examineNow(task: Task | SquareTask): Promise<Verdict> {
    clearTimeout(this.#idle);
    const child = (this.#process ??= this.#start());
    const { promise, resolve } = Promise.withResolvers<Verdict>();
    const timeout = setTimeout(() => {
      this.#end();
      resolve({ refused: "takes too long to convert" });
    }, this.#timeoutMs);
    const onExit = (code: number | null, signal: string | null) => {
      const spent = signal !== null || code === OUT_OF_MEMORY;
      resolve(
        spent
          ? { refused: "takes too much memory to convert" }
          : { failed: `the process ended with ${code}` },
      );
    };
    child.once("message", (verdict: Verdict) => resolve(verdict));
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

  /** With nothing of the server's environment: a file that took over the process would find no password there. */
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
