import { StoringPace } from "./storing-pace.ts";

/** If storing all events that wait takes longer, events are counted but no longer kept in full. */
const PAUSE_MS = 500;

/** If it takes longer than this, further events get 503. */
const REFUSE_MS = 2_000;

/** So many events may wait whatever was measured, so that a single slow batch neither pauses nor refuses anything. */
const LEAST = { paused: 100, refused: 400 };

/** Events that may wait for a commit, however fast it is. */
const MAX_WAITING = 5_000;

/** The events that wait, by project. */
type Queue = { size: number; sizeOf(projectId: number): number };

type Pace = Pick<StoringPace, "measure" | "msPerEvent">;

/** Decides what to leave out while more events arrive than can be stored. */
export class Overload {
  readonly pace: Pace;

  constructor(pace: Pace = new StoringPace()) {
    this.pace = pace;
  }

  /** Whether a further event of the project is one too many. A single project may take half of the room. */
  refuses(projectId: number, queue: Queue): boolean {
    const most = Math.min(MAX_WAITING, this.#events(REFUSE_MS, LEAST.refused));
    return queue.size >= most || queue.sizeOf(projectId) >= most / 2;
  }

  /**
   * The projects whose events are not kept in full for the moment: those that have at least as many events waiting as the
   * average project. `waiting` counts the events of each project, with those of the batch that is about to be stored.
   */
  paused(waiting: ReadonlyMap<number, number>): Set<number> {
    let total = 0;
    for (const count of waiting.values()) total += count;
    if (total <= this.#events(PAUSE_MS, LEAST.paused)) return NONE;
    return new Set([...waiting].filter(([, count]) => count * waiting.size >= total).map(([id]) => id));
  }

  /** How many events are stored within the time. */
  #events(ms: number, least: number): number {
    return Math.max(least, ms / this.pace.msPerEvent);
  }
}

const NONE: Set<number> = new Set();
