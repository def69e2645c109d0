const EVERY_MS = 1_000;

type Options = {
  everyMs?: number | undefined;
  /** How long the first call after a quiet second waits for others. */
  firstMs?: number;
};

/**
 * Calls `write` at most once a second, for classes that collect in memory what changes with every event. After a quiet second
 * it is called immediately. Calls never overlap. `write` must not reject; to try again, it collects again what it could not write.
 */
export class EverySecond {
  readonly #write: () => Promise<void>;
  readonly #everyMs: number;
  readonly #firstMs: number;
  #timer: NodeJS.Timeout | undefined;
  #writtenAt = -Infinity;
  #writing: Promise<void> = Promise.resolve();

  constructor(write: () => Promise<void>, { everyMs = EVERY_MS, firstMs = 0 }: Options = {}) {
    this.#write = write;
    this.#everyMs = everyMs;
    this.#firstMs = firstMs;
  }

  /** Call this after collecting something. Does not wait for the write. */
  schedule(): void {
    const dueIn = this.#writtenAt + this.#everyMs - performance.now();
    this.#timer ??= setTimeout(() => void this.#start(), Math.max(this.#firstMs, dueIn)).unref();
  }

  /** Waits for a write in progress, and writes what has been collected since. */
  async close(): Promise<void> {
    this.#stopTimer();
    await this.#start();
    this.#stopTimer();
  }

  #start(): Promise<void> {
    this.#timer = undefined;
    this.#writtenAt = performance.now();
    this.#writing = this.#writing.then(this.#write);
    return this.#writing;
  }

  #stopTimer() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
