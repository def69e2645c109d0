import { parentPort, Worker, type Transferable } from "node:worker_threads";
import { HttpError } from "../../answers/errors.ts";
import { Turns } from "../../batching/turns.ts";

/** The task took more CPU time than it may. Its thread was ended. */
export class TaskTimeout extends Error {}

export type Task<Message> = {
  /** Projects take turns. */
  projectId: number;
  /** Milliseconds of CPU time. */
  limitMs: number;
  /** What to send to the thread. Called when the task's turn comes. */
  message: () => { value: Message; transferred?: readonly Transferable[] };
};

type Waiting<Message, Result> = Task<Message> & {
  resolve: (result: Result) => void;
  reject: (error: Error) => void;
};

type Outcome<Result> =
  | { result: Result }
  | { refusal: { status: number; body: { message: string } & Record<string, unknown> } };

/** `cpuMs`: the CPU time of the thread so far. Without an outcome, the thread is ready. */
type Answer<Result> = { cpuMs: number; outcome?: Outcome<Result> };

type ThreadOptions = {
  maxMemoryMb?: number;
  /** How long the thread may be idle before it is ended. Without it, the thread stays. */
  idleMs?: number;
};

const ONE = { maxItems: 1, maxWeight: Infinity, weigh: () => 1 };

/**
 * A worker thread that runs one task at a time. The first task starts it. Projects take turns, so a project with many slow tasks
 * delays others by two tasks at most. A task that takes too long ends the thread, and the next task starts another one.
 */
export class TaskThread<Message, Result> {
  readonly #url: URL;
  readonly #options: ThreadOptions;
  readonly #waiting = new Turns<Waiting<Message, Result>>(({ projectId }) => projectId);
  #running: Waiting<Message, Result> | undefined;
  #worker: Worker | undefined;
  /** The CPU time of the thread at the end of its last task. Undefined until the thread is ready. */
  #cpuMs: number | undefined;
  #clock: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** `url` is a module that calls `answerTasks`. */
  constructor(url: URL, options: ThreadOptions = {}) {
    this.#url = url;
    this.#options = options;
  }

  /** Fails with TaskTimeout if the task takes too long, and like the task otherwise. */
  run(task: Task<Message>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...task, resolve, reject });
      this.#next();
    });
  }

  async close(): Promise<void> {
    await this.#end();
  }

  #next(): void {
    if (this.#running) return;
    const [task] = this.#waiting.take(ONE);
    clearTimeout(this.#idle);
    if (!task) return this.#endWhenIdle();
    this.#running = task;
    try {
      const { value, transferred = [] } = task.message();
      const worker = this.#start();
      worker.ref();
      worker.postMessage(value, transferred);
    } catch (error) {
      this.#settle(({ reject }) => reject(error as Error));
      return;
    }
    if (this.#cpuMs !== undefined) this.#watch(task.limitMs);
  }

  #endWhenIdle(): void {
    const { idleMs } = this.#options;
    if (idleMs === undefined || !this.#worker) return;
    this.#idle = setTimeout(() => void this.#end(), idleMs).unref();
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const { maxMemoryMb = 512 } = this.#options;
    const worker = new Worker(this.#url, { resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb } });
    worker.on("message", (answer: Answer<Result>) => this.#worker === worker && this.#receive(answer));
    worker.on("error", (error: Error) => this.#fail(worker, error));
    worker.on("exit", () => this.#fail(worker, new Error("a worker thread ended")));
    this.#worker = worker;
    return worker;
  }

  #receive({ cpuMs, outcome }: Answer<Result>): void {
    this.#cpuMs = cpuMs;
    if (outcome) this.#settle((task) => settle(task, outcome));
    else if (this.#running) this.#watch(this.#running.limitMs);
  }

  #settle(answer: (task: Waiting<Message, Result>) => void): void {
    clearTimeout(this.#clock);
    this.#worker?.unref();
    const task = this.#running;
    this.#running = undefined;
    if (task) answer(task);
    this.#next();
  }

  /** Checks the CPU time only once the task may have used it up. On a busy machine, it advances more slowly than the clock. */
  #watch(ms: number): void {
    this.#clock = setTimeout(() => void this.#check(), ms);
  }

  async #check(): Promise<void> {
    const [task, worker, start] = [this.#running, this.#worker, this.#cpuMs];
    if (!task || !worker || start === undefined) return;
    const now = await worker.cpuUsage().then(inMs, () => undefined);
    if (now === undefined || task !== this.#running) return;
    const leftMs = task.limitMs - (now - start);
    if (leftMs > 0) return this.#watch(Math.max(leftMs, SHORTEST_WAIT_MS));
    void this.#end();
    this.#settle(({ reject }) => reject(new TaskTimeout("a task took too long")));
  }

  /** If the thread dies, for example out of memory, so does its task. The next one starts a new thread. */
  #fail(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    void this.#end();
    this.#settle(({ reject }) => reject(error));
  }

  async #end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#cpuMs = undefined;
    clearTimeout(this.#clock);
    clearTimeout(this.#idle);
    await worker?.terminate();
  }
}

const SHORTEST_WAIT_MS = 10;

function settle<Message, Result>(task: Waiting<Message, Result>, outcome: Outcome<Result>): void {
  if ("result" in outcome) return task.resolve(outcome.result);
  const { message, ...more } = outcome.refusal.body;
  task.reject(new HttpError(outcome.refusal.status, message, more));
}

const inMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000;

/** Call in the thread. Errors for the client are passed on; any other one ends the thread. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- names what both sides agree on
export function answerTasks<Message>(run: (message: Message) => unknown): void {
  const answer = (outcome?: Outcome<unknown>) =>
    parentPort?.postMessage({ cpuMs: inMs(process.threadCpuUsage()), ...(outcome && { outcome }) });
  parentPort?.on("message", (message: Message) => answer(outcomeOf(() => run(message))));
  answer();
}

function outcomeOf<Result>(run: () => Result): Outcome<Result> {
  try {
    return { result: run() };
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { refusal: { status: error.status, body: error.body as { message: string } } };
  }
}
