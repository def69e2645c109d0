/**
 * Items that each belong to it for a time. Expired ones are removed while others are added, the oldest first, so use similar times in
 * one set.
 */
export class ExpiringSet<Item> {
  readonly #until = new Map<Item, number>();
  readonly #now: () => number;

  /** `now` returns milliseconds and never goes back. */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Expired items that have not been removed yet count. */
  get size(): number {
    return this.#until.size;
  }

  has(item: Item): boolean {
    if (this.#until.size === 0) return false;
    return (this.#until.get(item) ?? -Infinity) > this.#now();
  }

  /** Adds the item, or renews it. */
  add(item: Item, milliseconds: number): void {
    const now = this.#now();
    for (const [oldest, until] of this.#until) {
      if (until > now) break;
      this.#until.delete(oldest);
    }
    // A renewed item moves to the end, because the loop above stops at the first one that has not expired.
    this.#until.delete(item);
    this.#until.set(item, now + milliseconds);
  }

  delete(item: Item): void {
    this.#until.delete(item);
  }
}
