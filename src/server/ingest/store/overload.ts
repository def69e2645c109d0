/** Above this time to store all waiting events, further events are counted but not kept in full. */
const PAUSE_MS = 500;

/** Above this time to store all waiting events, further events get 503. */
const REFUSE_MS = 2_000;

/** Up to these numbers of waiting events, nothing is paused or refused, however slow the last batch was. */
const LEAST = { paused: 100, refused: 400 };

/** The most events that may wait for a commit, however fast they are stored. */
const MAX_WAITING = 5_000;

/** The waiting events: their total number, and the number of each project. */
type Queue = { size: number; sizeOf(projectId: number): number };

type Pace = Pick<StoringPace, "measure" | "msPerEvent">;

/** Decides what to leave out while more events arrive than can be stored. */
export class Overload {
  readonly pace: Pace;

  constructor(pace: Pace = new StoringPace()) {
    this.pace = pace;
  }

  /** Whether to reject a further event of the project. A single project may use half of the queue. */
  refuses(projectId: number, queue: Queue): boolean {
    const most = Math.min(MAX_WAITING, this.#events(REFUSE_MS, LEAST.refused));
    return queue.size >= most || queue.sizeOf(projectId) >= most / 2;
  }

  /**
   * The projects whose events are counted but not kept in full for now: those with at least as many waiting events as the
   * average project. `waiting` has the number of events by project, including the batch that is about to be stored.
   */
  paused(waiting: ReadonlyMap<number, number>): Set<number> {
    let total = 0;
    for (const count of waiting.values()) total += count;
    if (total <= this.#events(PAUSE_MS, LEAST.paused)) return NONE;
    return new Set([...waiting].filter(([, count]) => count * waiting.size >= total).map(([id]) => id));
  }

  /** The number of events that can be stored within the time, but at least `least`. */
  #events(ms: number, least: number): number {
    return Math.max(least, ms / this.pace.msPerEvent);
  }
}

const NONE: Set<number> = new Set();

/** Smaller batches are not measured: their time hardly depends on the number of events. */
const LARGE_BATCH = 40;

/** The factor by which the weight of a batch decreases with each later one. */
const KEPT_WEIGHT = 0.8;

/** Milliseconds per event until the first measurement. */
const FIRST_MS_PER_EVENT = 0.5;

/** How long storing an event takes under load: a moving average over large batches. */
export class StoringPace {
  #events = 0;
  #seconds = 0;

  /** Call after each batch that was stored, but not after one that failed. */
  measure(events: number, seconds: number): void {
    if (events < LARGE_BATCH) return;
    this.#events = this.#events * KEPT_WEIGHT + events;
    this.#seconds = this.#seconds * KEPT_WEIGHT + seconds;
  }

  get msPerEvent(): number {
    return this.#events === 0 ? FIRST_MS_PER_EVENT : (this.#seconds * 1000) / this.#events;
  }
}
