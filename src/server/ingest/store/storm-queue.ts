import { answerAll } from "./answer-pace.ts";
import { LaneRests } from "./lane-rests.ts";
import { Turns, type TurnLimits } from "../../batching/turns.ts";

/**
 * Like `Batcher`, it coalesces calls: those that arrive while a batch is in flight form the next one. But its lanes take turns, and a
 * storm in some lanes does not delay the others.
 */
export class StormQueue<In, Out> {
  readonly #run: (items: In[]) => Promise<Out[]>;
  readonly #limits: StormLimits<In>;
  readonly #waiting: Turns<Waiting<In, Out>>;
  readonly #running = { few: 0, many: 0 };
  readonly #lanesInFlight = new Set<unknown>();
  readonly #rests = new LaneRests();
  /** Lanes with many items that rest. */
  #resting: ReadonlySet<unknown> = NONE;
  #isStarting = false;

  /** `run` returns one result for each item, in the same order. If it fails, every caller of that batch gets its error. */
  constructor(run: (items: In[]) => Promise<Out[]>, limits: StormLimits<In>) {
    this.#run = run;
    this.#limits = limits;
    this.#waiting = new Turns(({ item }) => limits.laneOf(item));
  }

  add(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isStarting && KINDS.some((kind) => this.#hasRoom(kind))) this.#startSoon();
    });
  }

  /** The items that are not in a batch yet. */
  get queue(): Pick<Turns<unknown>, "size" | "sizeOf" | "sizes"> {
    return this.#waiting;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Waits for other calls of the same turn of the event loop, so that they share the batch. */
  #startSoon() {
    this.#isStarting = true;
    setImmediate(() => {
      this.#isStarting = false;
      this.#start();
    });
  }

  #start(): boolean {
    let hasStarted = false;
    for (const kind of KINDS)
      while (this.#hasRoom(kind)) {
        const batch = this.#take(kind);
        if (batch.length === 0) break;
        void this.#flush(batch, kind);
        hasStarted = true;
      }
    return hasStarted;
  }

  #hasRoom(kind: Kind): boolean {
    if (kind === "many" && (this.#limits.many === undefined || this.#resting.size > 0)) return false;
    return this.#running[kind] < this.#limits.atOnce;
  }

  async #flush(batch: Waiting<In, Out>[], kind: Kind) {
    const lanes = new Set(batch.map(({ item }) => this.#limits.laneOf(item)));
    this.#running[kind]++;
    for (const lane of lanes) this.#lanesInFlight.add(lane);
    const start = performance.now();
    const answer = await this.#answerOf(batch.map(({ item }) => item));
    this.#running[kind]--;
    for (const lane of lanes) this.#lanesInFlight.delete(lane);
    const tookMs = performance.now() - start;
    const restMs = this.#restAfter(lanes, kind, tookMs);
    const hasStarted = this.#start();
    const { answersPerTurn: perTurn = Infinity } = this.#limits;
    // Callers in a storm call again as soon as they have their result, and the next batch takes about as long as this one.
    const pace = restMs > 0 ? { perTurn, overMs: restMs + Math.min(tookMs, restMs) } : { perTurn };
    const answers = () =>
      answerAll(batch.length, pace, (place) => answer(batch[place] as Waiting<In, Out>, place));
    // node-postgres sends the next batch in a later tick, which would wait for what many callers do with their results. A few
    // would wait longer for that batch than it does for them.
    if (hasStarted && batch.length >= MANY_CALLERS) setImmediate(answers);
    else answers();
  }

  /** Lanes with many items start no further batch for a while if others have few. Returns the milliseconds. */
  #restAfter(lanes: Set<unknown>, kind: Kind, tookMs: number): number {
    if (this.#limits.many === undefined) return 0;
    const now = performance.now();
    if (kind === "few") {
      this.#rests.addFew(lanes, now);
      return 0;
    }
    const ms = this.#rests.addMany(lanes, tookMs, now);
    if (ms > 0) this.#restFor(ms, lanes);
    return ms;
  }

  #restFor(ms: number, lanes: ReadonlySet<unknown>) {
    this.#resting = lanes;
    setTimeout(() => {
      this.#resting = NONE;
      this.#start();
    }, ms);
  }

  async #answerOf(items: In[]): Promise<Answer<In, Out>> {
    try {
      const results = await this.#run(items);
      return ({ resolve }, index) => resolve(results[index] as Out);
    } catch (error) {
      return ({ reject }) => reject(error);
    }
  }

  #take(kind: Kind): Waiting<In, Out>[] {
    const { many = Infinity, weigh, maxItems, maxWeight } = this.#limits;
    const isFree = (lane: unknown) => !this.#lanesInFlight.has(lane) && !this.#resting.has(lane);
    const only = (lane: unknown, count: number) =>
      many === Infinity || (isFree(lane) && kind === (count < many ? "few" : "many"));
    return this.#waiting.take({ maxItems, maxWeight, only, weigh: ({ item }) => weigh(item) });
  }
}

const MANY_CALLERS = 16;

const NONE: ReadonlySet<unknown> = new Set();

/** Batches of lanes with few waiting items start first. */
const KINDS = ["few", "many"] as const;
type Kind = (typeof KINDS)[number];

export type StormLimits<In> = Omit<TurnLimits<In>, "only"> & {
  /** Concurrent batches. */
  atOnce: number;
  /** Items of several lanes are taken in turn. */
  laneOf: (item: In) => unknown;
  /**
   * Lanes in which at least this many items wait get batches of their own, `atOnce` further ones, so that the others do not
   * wait for these. No lane is in two batches at once. While others are used, they rest after each batch twice as long as it took:
   * they are in no batch then, however few items wait, and their callers get their results spread over that rest and the next batch.
   */
  many?: number;
  /** Callers that get their result in one turn of the event loop, so that what they do then does not block it for long. */
  answersPerTurn?: number;
};

type Waiting<In, Out> = { item: In; resolve: (result: Out) => void; reject: (error: unknown) => void };
type Answer<In, Out> = (entry: Waiting<In, Out>, index: number) => void;
