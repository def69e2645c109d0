type Waiting<In, Out> = { item: In; resolve: (result: Out) => void; reject: (error: unknown) => void };

type Limits = {
  /** Items of a batch. */
  maxItems: number;
  /**
   * After a batch of several calls, the next one waits this long for further calls: for a fixed cost per batch that matters more than
   * these milliseconds. A call after a batch of one does not wait.
   */
  gatherMs?: number;
};

/**
 * Coalesces calls: those that arrive while a batch is in flight form the next one. Each caller gets its own result when its
 * batch is done. Without load a call runs at once, alone; under load one batch holds many calls.
 */
export class Batcher<In, Out> {
  readonly #run: (items: In[]) => Promise<Out[]>;
  readonly #limits: Limits;
  #waiting: Waiting<In, Out>[] = [];
  /** A batch is in flight, about to start, or waits for further calls. */
  #isBusy = false;

  /** `run` returns one result for each item, in the same order. If it fails, every caller of that batch gets its error. */
  constructor(run: (items: In[]) => Promise<Out[]>, limits: Limits) {
    this.#run = run;
    this.#limits = limits;
  }

  add(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#isBusy) return;
      this.#isBusy = true;
      // Other calls of this turn of the event loop share the batch.
      setImmediate(() => void this.#flush());
    });
  }

  async #flush(): Promise<void> {
    const { maxItems, gatherMs = 0 } = this.#limits;
    const batch = this.#waiting.slice(0, maxItems);
    this.#waiting = this.#waiting.slice(maxItems);
    const answer = await this.#answerOf(batch.map(({ item }) => item));
    if (batch.length > 1 && gatherMs > 0) setTimeout(() => this.#goOn(), gatherMs);
    else this.#goOn();
    for (const [place, waiting] of batch.entries()) answer(waiting, place);
  }

  #goOn(): void {
    this.#isBusy = this.#waiting.length > 0;
    if (this.#isBusy) void this.#flush();
  }

  async #answerOf(items: In[]): Promise<(waiting: Waiting<In, Out>, place: number) => void> {
    try {
      const results = await this.#run(items);
      return ({ resolve }, place) => resolve(results[place] as Out);
    } catch (error) {
      return ({ reject }) => reject(error);
    }
  }
}
