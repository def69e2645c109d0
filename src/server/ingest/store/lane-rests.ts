/** How long a lane counts as used after a batch with its items. */
const RECENT_MS = 1_000;

/** The longest rest. A batch that took longer was waiting, for example for a lock, so it did not load the machine. */
const MAX_MS = 100;

/** Reading and answering the items of a batch takes the process about as long again as the batch itself. */
const REST_PER_BATCH = 2;

/**
 * How long lanes with many items rest after a batch: twice as long as it took, while lanes with few items are in use. So they
 * get about half of what they would alone, and leave the rest of the machine to the others. If no others are in use, they do not rest.
 */
export class LaneRests {
  /** When each lane last had a batch for lanes with few or many items. */
  readonly #few = new Map<unknown, number>();
  readonly #many = new Map<unknown, number>();

  addFew(lanes: Iterable<unknown>, now: number): void {
    for (const lane of lanes) this.#few.set(lane, now);
  }

  /** Returns the milliseconds to rest after a batch of these lanes that took `ms`. */
  addMany(lanes: Iterable<unknown>, ms: number, now: number): number {
    for (const lane of lanes) this.#many.set(lane, now);
    forgetOld(this.#many, now);
    forgetOld(this.#few, now);
    const hasOthers = [...this.#few.keys()].some((lane) => !this.#many.has(lane));
    return hasOthers ? Math.min(REST_PER_BATCH * ms, MAX_MS) : 0;
  }
}

function forgetOld(lanes: Map<unknown, number>, now: number): void {
  for (const [lane, usedAt] of lanes) if (usedAt + RECENT_MS < now) lanes.delete(lane);
}
