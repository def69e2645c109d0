import { Turns, type TurnLimits } from "./turns.ts";

/**
 * Coalesces calls: calls that arrive while a batch is in flight form the next batch. Each caller gets its own result when
 * its batch is done. Without load a call runs at once, alone; under load one batch holds many calls.
 */
export class Batcher<In, Out> {
  readonly #run: (items: In[]) => Promise<Out[]>;
  readonly #limits: BatchLimits<In>;
  readonly #waiting: Turns<Waiting<In, Out>>;
  #running = 0;

  /** `run` returns one result for each item, in the same order. If it fails, every caller of that batch gets its error. */
  constructor(run: (items: In[]) => Promise<Out[]>, limits: BatchLimits<In>) {
    this.#run = run;
    this.#limits = limits;
    const { laneOf = () => undefined } = limits;
    this.#waiting = new Turns(({ item }) => laneOf(item));
  }

  add(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#running < this.#limits.atOnce) this.#start();
    });
  }

  /** The items that are not in a batch yet. */
  get queue(): Pick<Turns<unknown>, "size" | "sizeOf" | "sizes"> {
    return this.#waiting;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  #start() {
    this.#running++;
    // Wait for other calls of the same turn of the event loop, so that they share the batch.
    setImmediate(() => void this.#drain());
  }

  async #drain() {
    while (this.#waiting.size > 0) await this.#flush(this.#take());
    this.#running--;
  }

  async #flush(batch: Waiting<In, Out>[]) {
    try {
      const results = await this.#run(batch.map((entry) => entry.item));
      batch.forEach((entry, index) => entry.resolve(results[index] as Out));
    } catch (error) {
      for (const entry of batch) entry.reject(error);
    }
  }

  #take(): Waiting<In, Out>[] {
    const { weigh, ...limits } = this.#limits;
    return this.#waiting.take({ ...limits, weigh: ({ item }) => weigh(item) });
  }
}

export type BatchLimits<In> = TurnLimits<In> & {
  /** Concurrent batches. */
  atOnce: number;
  /** Items of several lanes are taken in turn. Without it, in the order of arrival. */
  laneOf?: (item: In) => unknown;
};

type Waiting<In, Out> = { item: In; resolve: (result: Out) => void; reject: (error: unknown) => void };
