/** A change made through another process takes effect within this time. */
export const FRESH_MS = 1_000;
export const MOST_ENTRIES = 10_000;

/** Caches values for a second. Concurrent requests for a key share one read: a fleet of servers sends with one token. */
export class Fresh<T> {
  readonly #entries = new Map<string, { value: T; until: number }>();
  readonly #reading = new Map<string, Promise<T | undefined>>();

  /** The cached value, without reading it. */
  known(key: string): T | undefined {
    const known = this.#entries.get(key);
    return known && known.until > performance.now() ? known.value : undefined;
  }

  async get(key: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    const known = this.known(key);
    if (known !== undefined) return known;
    let reading = this.#reading.get(key);
    if (!reading) {
      reading = this.#read(key, read).finally(() => this.#reading.delete(key));
      this.#reading.set(key, reading);
    }
    return reading;
  }

  async #read(key: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    const value = await read();
    // A missing project is not cached: it may be created at any moment.
    if (value !== undefined) {
      if (this.#entries.size >= MOST_ENTRIES) this.#entries.clear();
      this.#entries.set(key, { value, until: performance.now() + FRESH_MS });
    }
    return value;
  }
}
