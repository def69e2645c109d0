/**
 * Limits the CPU time of work on this thread, in milliseconds. Checks the wall clock first, which is cheaper to read but also
 * advances while other programs run; the budget is spent only once the thread's CPU time exceeds it.
 */
export class CpuBudget {
  readonly #limit: number;
  readonly #start = process.threadCpuUsage();
  #elapsed = 0;
  #isSpent = false;

  constructor(milliseconds: number) {
    this.#limit = milliseconds;
  }

  get isSpent(): boolean {
    if (!this.#isSpent && this.#elapsed >= this.#limit) {
      const { user, system } = process.threadCpuUsage(this.#start);
      this.#isSpent = (user + system) / 1_000 >= this.#limit;
    }
    return this.#isSpent;
  }

  measure<T>(work: () => T): T {
    const start = performance.now();
    try {
      return work();
    } finally {
      this.#elapsed += performance.now() - start;
    }
  }
}
