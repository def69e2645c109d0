/** A change made through another process takes effect within this time. */
export const CACHED_MS = 1_000;

/** An older value is read again while it is still in use, so that a stream of events never waits for a read. */
const RENEW_MS = CACHED_MS / 2;

const MAX_ENTRIES = 10_000;

/** Characters. That a longer key has no value is not cached, so that such keys cannot fill the memory. */
const MAX_ABSENT_LENGTH = 100;

type Options<Item> = {
  /** Items with the same key have the same value. */
  keyOf?: (item: Item) => string;
  /** Returns milliseconds and never goes back. */
  now?: () => number;
};

type Entry<Value> = { value: Value; since: number };

/**
 * Caches for a second what `read` returns for an item, also that it has no value. Concurrent requests for an item share one read,
 * because a fleet of servers may share a token.
 */
export class CachedLookup<Item, Value> {
  readonly #read: (item: Item) => Promise<Value | undefined>;
  readonly #keyOf: (item: Item) => string;
  readonly #now: () => number;
  #entries = new Map<string, Entry<Value>>();
  /** When it was read that a key has no value. Separate, so that a flood of invalid credentials evicts no valid one. */
  #absent = new Map<string, number>();
  #reading = new Map<string, Promise<Value | undefined>>();

  constructor(
    read: (item: Item) => Promise<Value | undefined>,
    { keyOf = String, now = () => performance.now() }: Options<Item> = {},
  ) {
    this.#read = read;
    this.#keyOf = keyOf;
    this.#now = now;
  }

  /** The value if it is cached. Starts to read it again if it will soon be too old. */
  known(item: Item): Value | undefined {
    const key = this.#keyOf(item);
    const entry = this.#fresh(key);
    if (!entry) return undefined;
    if (this.#now() >= entry.since + RENEW_MS && !this.#reading.has(key)) this.#renew(key, item);
    return entry.value;
  }

  async get(item: Item): Promise<Value | undefined> {
    const key = this.#keyOf(item);
    const entry = this.#fresh(key);
    if (entry) return entry.value;
    if (this.#now() < (this.#absent.get(key) ?? -Infinity) + CACHED_MS) return undefined;
    return this.#reading.get(key) ?? this.#readShared(key, item);
  }

  /** Later requests do not share reads in progress either, which may return outdated values. */
  forget(): void {
    this.#entries = new Map();
    this.#absent = new Map();
    this.#reading = new Map();
  }

  #fresh(key: string): Entry<Value> | undefined {
    const entry = this.#entries.get(key);
    return entry && this.#now() < entry.since + CACHED_MS ? entry : undefined;
  }

  /** A failed read is ignored: once the value is too old, the next request reads it again. */
  #renew(key: string, item: Item): void {
    this.#readShared(key, item).catch(() => {});
  }

  #readShared(key: string, item: Item): Promise<Value | undefined> {
    const readings = this.#reading;
    const reading = this.#readAndKeep(key, item).finally(() => readings.delete(key));
    readings.set(key, reading);
    return reading;
  }

  async #readAndKeep(key: string, item: Item): Promise<Value | undefined> {
    const [entries, absent] = [this.#entries, this.#absent];
    const value = await this.#read(item);
    if (value === undefined) {
      entries.delete(key);
      if (key.length <= MAX_ABSENT_LENGTH) setWithin(absent, key, this.#now());
    } else {
      absent.delete(key);
      setWithin(entries, key, { value, since: this.#now() });
    }
    return value;
  }
}

function setWithin<T>(map: Map<string, T>, key: string, value: T): void {
  if (map.size >= MAX_ENTRIES) map.clear();
  map.set(key, value);
}

/** Lookups that are forgotten together, when something may have changed. */
export class CachedLookups {
  readonly #lookups: { forget(): void }[] = [];

  add<Lookup extends { forget(): void }>(lookup: Lookup): Lookup {
    this.#lookups.push(lookup);
    return lookup;
  }

  /** Makes changes take effect immediately in this process. */
  forget(): void {
    for (const lookup of this.#lookups) lookup.forget();
  }
}
