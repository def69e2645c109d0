import { availableParallelism, totalmem } from "node:os";
import { FairTurns } from "../batching/fair-turns.ts";
import { FileProcess, MAX_MEMORY_BYTES } from "./file-process.ts";
import { kindOf } from "./kinds.ts";
import type { Uploader } from "./uploader.ts";
import type { Examined, ExamineTask, Square, SquareTask } from "./worker-messages.ts";

export type ExaminerOptions = {
  /** CPU time that examining one file may take. */
  maxCpuMs: number;
  /** How long the files of an upload may wait for their turn. */
  maxWaitMs: number;
};

const DEFAULTS: ExaminerOptions = { maxCpuMs: 10_000, maxWaitMs: 150_000 };

/** Seconds. An immediate retry of a large file would only make the queue longer. */
const RETRY_AFTER = 60;

/** The second process must leave enough memory to the server and PostgreSQL. */
const IMAGE_PROCESSES = availableParallelism() > 1 && memoryLimit() >= 4 * MAX_MEMORY_BYTES * 0.9 ? 2 : 1;

type Lane = { turns: FairTurns; free: FileProcess[]; processes: FileProcess[] };

/**
 * Examines files and converts images in separate processes, with 1 GiB of memory each: one or two for images, which may take
 * seconds, and one for all other files, which therefore never wait for images.
 */
export class FileExaminer {
  readonly #images: Lane;
  readonly #others: Lane;

  constructor(options: Partial<ExaminerOptions> = {}) {
    const { maxCpuMs, maxWaitMs } = { ...DEFAULTS, ...options };
    const makeLane = (count: number): Lane => {
      const processes = Array.from({ length: count }, () => new FileProcess(maxCpuMs));
      const turns = new FairTurns({ maxWaitMs, places: count, retryAfter: RETRY_AFTER });
      return { turns, processes, free: [...processes] };
    };
    this.#images = makeLane(IMAGE_PROCESSES);
    this.#others = makeLane(1);
  }

  /**
   * Checks that the content of each file of an upload matches its name, and converts images to WebP. They take one turn together:
   * if uploads alternated, all would finish late. 503 if they have to wait too long. Throws if the client disconnects.
   */
  examine(tasks: ExamineTask[], uploader: Uploader): Promise<Examined[]> {
    return this.#run<Examined>(tasks, uploader);
  }

  /** Crops an image to a small square, under the same conditions. */
  async square(task: SquareTask, uploader: Uploader): Promise<Square> {
    const [square] = await this.#run<Square>([task], uploader);
    return square as Square;
  }

  close(): void {
    for (const { processes } of [this.#images, this.#others]) for (const process of processes) process.end();
  }

  async #run<Answer extends Examined | Square>(
    tasks: (ExamineTask | SquareTask)[],
    uploader: Uploader,
  ): Promise<Answer[]> {
    if (tasks.length === 0) return [];
    const hasImage = tasks.some(({ filename }) => kindOf(filename)?.content.as === "image");
    const lane = hasImage ? this.#images : this.#others;
    return lane.turns.run(uploader, async () => {
      const process = lane.free.pop() as FileProcess;
      try {
        const answers: Answer[] = [];
        for (const task of tasks) {
          const answer = await process.run(task, uploader.signal);
          if ("failed" in answer) throw new Error(`a file could not be examined: ${answer.failed}`);
          answers.push(answer as Answer);
        }
        return answers;
      } finally {
        lane.free.push(process);
      }
    });
  }
}

/** Bytes. A container may have less than its machine. */
function memoryLimit(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity);
}
