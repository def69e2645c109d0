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
   * Removes and returns the items of the next batch. If items of other lanes are waiting, a lane gets at most half of the batch.
   */
  take({ only = () => true, ...limits }: TurnLimits<Item>): Item[] {
    const lanes: Lane<Item>[] = [];
    for (const [lane, items] of this.#lanes)
      if (only(lane, items.length)) lanes.push({ lane, items, count: 0 });
    const mostOfLane = this.#lanes.size > 1 ? Math.ceil(limits.maxItems / 2) : limits.maxItems;
    const taken = takeInTurn(lanes, limits, mostOfLane);
    this.#remove(lanes);
    return taken;
  }

  /** Lanes that were served go to the end, so that the others come first in the next batch. */
  #remove(lanes: Lane<Item>[]): void {
    for (const { lane, items, count } of lanes) {
      if (count === 0) continue;
      this.#lanes.delete(lane);
      if (count < items.length) this.#lanes.set(lane, items.slice(count));
      this.#size -= count;
    }
  }
}

/** A lane and its items. The first `count` of them are taken. */
type Lane<Item> = { lane: unknown; items: Item[]; count: number };

function takeInTurn<Item>(
  lanes: Lane<Item>[],
  { maxItems, maxWeight, weigh }: Omit<TurnLimits<Item>, "only">,
  mostOfLane: number,
): Item[] {
  const taken: Item[] = [];
  let weight = 0;
  for (let place = 0, before = -1; place < mostOfLane && taken.length > before; place++) {
    before = taken.length;
    for (const lane of lanes) {
      if (place >= lane.items.length) continue;
      const item = lane.items[place] as Item;
      weight += weigh(item);
      if (taken.length > 0 && (taken.length === maxItems || weight > maxWeight)) return taken;
      taken.push(item);
      lane.count++;
    }
  }
  return taken;
}

export type TurnLimits<Item> = {
  maxItems: number;
  /** Does not apply to a single item. */
  maxWeight: number;
  weigh: (item: Item) => number;
  /** Whether the batch may contain items of this lane, where `count` items wait. */
  only?: (lane: unknown, count: number) => boolean;
};
