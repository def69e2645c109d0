import { fork, type ChildProcess } from "node:child_process";
import { OUT_OF_MEMORY, type ExamineTask, type SquareTask, type WorkerAnswer } from "./worker-messages.ts";

/** Bytes. Converting an image of 50 million pixels takes about 600 MiB. */
const MAX_MEMORY_BYTES = 1_024 * 1_048_576;
/** The memory of a conversion is released only when the process ends, so an idle process is ended. */
const IDLE_MS = 30_000;

/**
 * A process that examines files, one at a time, within a time and memory limit. A file that crashes the process does not
 * affect the server; the next file gets a new process.
 */
export class FileProcess {
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  readonly #timeoutMs: number;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Throws the signal's reason if it is aborted before the task is done. */
  async run(task: ExamineTask | SquareTask, signal: AbortSignal): Promise<WorkerAnswer> {
    signal.throwIfAborted();
    clearTimeout(this.#idle);
    const child = (this.#child ??= this.#start());
    const { promise, resolve, reject } = Promise.withResolvers<WorkerAnswer>();
    const timeout = setTimeout(() => {
      this.end();
      resolve({ refused: "takes too long to convert" });
    }, this.#timeoutMs);
    const onAbort = () => {
      this.end();
      reject(signal.reason as Error);
    };
    const onExit = (code: number | null, signalName: string | null) => {
      const isOutOfMemory = signalName !== null || code === OUT_OF_MEMORY;
      resolve(
        isOutOfMemory
          ? { refused: "takes too much memory to convert" }
          : { failed: `the process ended with ${code}` },
      );
    };
    signal.addEventListener("abort", onAbort);
    child.once("message", (answer: WorkerAnswer) => resolve(answer));
    child.once("exit", onExit);
    child.send(task, (error) => error && resolve({ failed: error.message }));
    try {
      return await promise;
    } finally {
      clearTimeout(timeout);
      signal.removeEventListener("abort", onAbort);
      child.removeAllListeners("message").off("exit", onExit);
      this.#idle = setTimeout(() => this.end(), IDLE_MS).unref();
    }
  }

  end(): void {
    clearTimeout(this.#idle);
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }

  /** The process gets an empty environment: a file that exploits a decoder must not find the server's passwords there. */
  #start(): ChildProcess {
    const child = fork(new URL("./file-worker.ts", import.meta.url), [String(MAX_MEMORY_BYTES)], {
      env: { MALLOC_ARENA_MAX: "2" },
      execArgv: ["--max-old-space-size=256"],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    child.on("error", () => {});
    child.once("exit", () => {
      if (this.#child === child) this.#child = undefined;
    });
    child.unref();
    child.channel?.unref();
    return child;
  }
}
