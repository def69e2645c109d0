import { FairTurns } from "../batching/fair-turns.ts";
import { FileProcess } from "./file-process.ts";
import { kindOf } from "./kinds.ts";
import type { Uploader } from "./uploader.ts";
import type { Examined, ExamineTask, Square, SquareTask } from "./worker-messages.ts";

export type ExaminerOptions = {
  /** How long examining one file may take. */
  timeoutMs: number;
  /** How long a file may wait for its turn. */
  maxWaitMs: number;
};

const DEFAULTS: ExaminerOptions = { timeoutMs: 10_000, maxWaitMs: 10_000 };

/** Seconds. An immediate retry of a large file would only make the queue longer. */
const RETRY_AFTER = 10;

type Lane = { turns: FairTurns; process: FileProcess };

/**
 * Examines files and converts images in separate processes, with 1 GiB of memory each: one for images, which may take
 * seconds, and one for all other files, which therefore never wait for images.
 */
export class FileExaminer {
  readonly #images: Lane;
  readonly #others: Lane;

  constructor(options: Partial<ExaminerOptions> = {}) {
    const { timeoutMs, maxWaitMs } = { ...DEFAULTS, ...options };
    const makeLane = () => ({
      turns: new FairTurns({ maxWaitMs, retryAfter: RETRY_AFTER }),
      process: new FileProcess(timeoutMs),
    });
    this.#images = makeLane();
    this.#others = makeLane();
  }

  /**
   * Checks that a file's content matches its name, and converts images to WebP. 503 if the file has to wait too long. Throws if
   * the client disconnects.
   */
  examine(task: ExamineTask, uploader: Uploader): Promise<Examined> {
    return this.#run<Examined>(task, uploader);
  }

  /** Crops an image to a small square, under the same conditions. */
  square(task: SquareTask, uploader: Uploader): Promise<Square> {
    return this.#run<Square>(task, uploader);
  }

  close(): void {
    this.#images.process.end();
    this.#others.process.end();
  }

  async #run<Answer extends Examined | Square>(
    task: ExamineTask | SquareTask,
    uploader: Uploader,
  ): Promise<Answer> {
    const lane = kindOf(task.filename)?.content.as === "image" ? this.#images : this.#others;
    const answer = await lane.turns.run(uploader, () => lane.process.run(task, uploader.signal));
    if ("failed" in answer) throw new Error(`a file could not be examined: ${answer.failed}`);
    return answer as Answer;
  }
}
