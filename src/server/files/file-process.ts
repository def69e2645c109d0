import { fork, type ChildProcess } from "node:child_process";
import { getPriority, setPriority } from "node:os";
import { overloaded } from "../answers/errors.ts";
import {
  OUT_OF_MEMORY,
  OUT_OF_TIME,
  type ExamineTask,
  type SquareTask,
  type WorkerAnswer,
} from "./worker-messages.ts";

/** Bytes. Converting an image of 50 million pixels takes about 600 MiB. */
export const MAX_MEMORY_BYTES = 1_024 * 1_048_576;
/** The memory of a conversion is released only when the process ends, so an idle process is ended. */
const IDLE_MS = 30_000;
/** A thirtieth of the processor time of the server and of PostgreSQL if they compete, so that events do not wait for images. */
const NICE = 15;
/** The process may get only a small part of a processor. */
const MAX_WALL_MS = 120_000;

/**
 * A process that examines files, one at a time, within a limit of CPU time and memory. A file that crashes the process does not
 * affect the server; the next file gets a new process.
 */
export class FileProcess {
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  readonly #maxCpuMs: number;

  constructor(maxCpuMs: number) {
    this.#maxCpuMs = maxCpuMs;
  }

  /** Throws the signal's reason if it is aborted before the task is done. 503 if the machine is too busy to finish it. */
  async run(task: ExamineTask | SquareTask, signal: AbortSignal): Promise<WorkerAnswer> {
    signal.throwIfAborted();
    clearTimeout(this.#idle);
    const child = (this.#child ??= this.#start());
    const { promise, resolve, reject } = Promise.withResolvers<WorkerAnswer>();
    const timeout = setTimeout(() => {
      this.end();
      reject(overloaded());
    }, MAX_WALL_MS);
    const onAbort = () => {
      this.end();
      reject(signal.reason as Error);
    };
    const onExit = (code: number | null, signalName: string | null) =>
      resolve(answerToExit(code, signalName));
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
    const child = fork(
      new URL("./file-worker.ts", import.meta.url),
      [String(MAX_MEMORY_BYTES), String(this.#maxCpuMs)],
      {
        env: { MALLOC_ARENA_MAX: "2" },
        execArgv: ["--max-old-space-size=256"],
        stdio: ["ignore", "ignore", "ignore", "ipc"],
      },
    );
    child.on("error", () => {});
    // Threads inherit the priority, so it is set before the process starts any.
    if (child.pid !== undefined) lowerPriority(child.pid);
    child.once("exit", () => {
      if (this.#child === child) this.#child = undefined;
    });
    child.unref();
    child.channel?.unref();
    return child;
  }
}

function answerToExit(code: number | null, signalName: string | null): WorkerAnswer {
  if (code === OUT_OF_TIME) return { refused: "takes too long to convert" };
  if (signalName !== null || code === OUT_OF_MEMORY) return { refused: "takes too much memory to convert" };
  return { failed: `the process ended with ${code}` };
}

function lowerPriority(pid: number): void {
  try {
    if (getPriority(pid) < NICE) setPriority(pid, NICE);
  } catch {
    // Not permitted here, or the process has ended.
  }
}
