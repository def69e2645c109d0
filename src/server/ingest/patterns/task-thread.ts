import { parentPort, Worker, type Transferable } from "node:worker_threads";
import { HttpError } from "../../answers/errors.ts";
import { Turns } from "../../batching/turns.ts";

/** The task took more CPU time than it may. Its thread was ended. */
export class TaskTimeout extends Error {}

/** The task's turn did not come in time. */
export class TaskNotStarted extends Error {}

export type TaskMessage<Message> = { value: Message; transferred?: readonly Transferable[] };

export type Task<Message, Result> = {
  /** Projects take turns. */
  projectId: number;
  /** Milliseconds of CPU time for each message. */
  limitMs: number;
  /** Milliseconds until the task's turn must come. Without it, the task waits as long as necessary. */
  maxWaitMs?: number;
  /** What to send to the thread. Called when the task's turn comes. */
  message: () => TaskMessage<Message>;
  /** What to send after this result, in the same turn. Undefined if this is the task's result. */
  followUp?: (result: Result) => Promise<TaskMessage<Message> | undefined>;
};

type Waiting<Message, Result> = Task<Message, Result> & {
  resolve: (result: Result) => void;
  reject: (error: Error) => void;
  latestStart?: NodeJS.Timeout;
  isTooLate?: boolean;
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
const ALL = { ...ONE, maxItems: Infinity };

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

  /** Fails with TaskTimeout if the task takes too long, with TaskNotStarted if it waits too long, and like the task otherwise. */
  run(task: Task<Message, Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting<Message, Result> = { ...task, resolve, reject };
      if (task.maxWaitMs !== undefined)
        waiting.latestStart = setTimeout(() => giveUp(waiting), task.maxWaitMs);
      this.#waiting.push(waiting);
      this.#next();
    });
  }

  /** Fails the tasks that are not finished. */
  async close(): Promise<void> {
    const unfinished = this.#waiting.take(ALL);
    for (const task of unfinished) clearTimeout(task.latestStart);
    if (this.#running) unfinished.push(this.#running);
    this.#running = undefined;
    for (const { reject } of unfinished) reject(new Error("the worker thread was closed"));
    await this.#end();
  }

  #next(): void {
    if (this.#running) return;
    clearTimeout(this.#idle);
    const task = this.#takeWaiting();
    if (!task) return this.#endWhenIdle();
    clearTimeout(task.latestStart);
    this.#running = task;
    this.#send(task, task.message);
  }

  #takeWaiting(): Waiting<Message, Result> | undefined {
    let [task] = this.#waiting.take(ONE);
    while (task?.isTooLate) [task] = this.#waiting.take(ONE);
    return task;
  }

  #send(task: Waiting<Message, Result>, message: () => TaskMessage<Message>): void {
    try {
      const { value, transferred = [] } = message();
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
    const task = this.#running;
    if (!task) return;
    if (!outcome) this.#watch(task.limitMs);
    else if (task.followUp && "result" in outcome) void this.#continue(task, task.followUp, outcome);
    else this.#settle(() => settle(task, outcome));
  }

  /** The thread may die during the wait, which settles the task. */
  async #continue(
    task: Waiting<Message, Result>,
    followUp: NonNullable<Task<Message, Result>["followUp"]>,
    outcome: { result: Result },
  ): Promise<void> {
    clearTimeout(this.#clock);
    try {
      const message = await followUp(outcome.result);
      if (task !== this.#running) return;
      if (message) this.#send(task, () => message);
      else this.#settle(() => settle(task, outcome));
    } catch (error) {
      if (task === this.#running) this.#settle(() => task.reject(error as Error));
    }
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

function giveUp<Message, Result>(task: Waiting<Message, Result>): void {
  task.isTooLate = true;
  task.reject(new TaskNotStarted("a task waited too long"));
}

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
