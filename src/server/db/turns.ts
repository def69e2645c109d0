/**
 * A queue whose items are taken in turn by lane, so that a lane with many items delays the others by one batch at most.
 * Within a lane, items keep their order.
 */
export class Turns<Item> {
  readonly #laneOf: (item: Item) => unknown;
  /** In the order in which their turn comes. None is empty. */
  readonly #lanes = new Map<unknown, Item[]>();
  #size = 0;

  constructor(laneOf: (item: Item) => unknown) {
    this.#laneOf = laneOf;
  }

  get size(): number {
    return this.#size;
  }

  /** How many items wait in each lane. */
  sizes(): Map<unknown, number> {
    return new Map([...this.#lanes].map(([lane, { length }]) => [lane, length]));
  }

  sizeOf(lane: unknown): number {
    return this.#lanes.get(lane)?.length ?? 0;
  }

  push(item: Item): void {
    const lane = this.#laneOf(item);
    const items = this.#lanes.get(lane);
    if (items) items.push(item);
    else this.#lanes.set(lane, [item]);
    this.#size++;
  }

  /**
   * Removes and returns the items of the next batch. If it leaves items of other lanes waiting, or takes some of them, a lane
   * gets at most half of it.
   */
  take({ maxItems, maxWeight, weigh, only = () => true }: TurnLimits<Item>): Item[] {
    const taken: Item[] = [];
    const counts = new Map<unknown, number>();
    let weight = 0;
    const lanes = [...this.#lanes].filter(([lane, { length }]) => only(lane, length));
    for (const [lane, item] of inTurn(lanes, this.#lanes.size > 1 ? Math.ceil(maxItems / 2) : maxItems)) {
      weight += weigh(item);
      if (taken.length > 0 && (taken.length === maxItems || weight > maxWeight)) break;
      taken.push(item);
      counts.set(lane, (counts.get(lane) ?? 0) + 1);
    }
    this.#remove(counts);
    return taken;
  }

  /** Lanes that were served go to the end, so that the others come first in the next batch. */
  #remove(counts: Map<unknown, number>): void {
    for (const [lane, count] of counts) {
      const items = this.#lanes.get(lane) ?? [];
      this.#lanes.delete(lane);
      if (count < items.length) this.#lanes.set(lane, items.slice(count));
      this.#size -= count;
    }
  }
}

function* inTurn<Item>(
  lanes: [lane: unknown, items: Item[]][],
  mostOfLane: number,
): Generator<[lane: unknown, item: Item]> {
  for (let place = 0; place < mostOfLane; place++) {
    let hasMore = false;
    for (const [lane, items] of lanes) {
      if (place >= items.length) continue;
      hasMore = true;
      yield [lane, items[place] as Item];
    }
    if (!hasMore) return;
  }
}

export type TurnLimits<Item> = {
  maxItems: number;
  /** Does not apply to a single item. */
  maxWeight: number;
  weigh: (item: Item) => number;
  /** Whether the batch may have items of this lane, of which `count` wait. */
  only?: (lane: unknown, count: number) => boolean;
};
