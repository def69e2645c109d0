import { outsideTransaction } from "../db/request-transaction.ts";

/** A change made through another process takes effect within this time. */
export const CACHED_MS = 1_000;
export const MOST_ENTRIES = 10_000;

/** An older value is refreshed while it is still in use, so that a stream of events never waits for a read. */
const RENEW_MS = CACHED_MS / 2;

type Read<T> = () => Promise<T | undefined>;
type Entry<T> = { value: T; since: number; read: Read<T> };

/** Caches values for a second. Concurrent requests for a key share one read, because a fleet of servers may share a token. */
export class ShortCache<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #reading = new Map<string, Promise<T | undefined>>();
  readonly #now: () => number;

  /** `now` returns milliseconds and never goes back. */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** The cached value, without waiting. Starts a refresh if the value will soon be too old. */
  known(key: string): T | undefined {
    const entry = this.#fresh(key);
    if (!entry) return undefined;
    if (this.#now() >= entry.since + RENEW_MS && !this.#reading.has(key)) this.#renew(key, entry);
    return entry.value;
  }

  async get(key: string, read: Read<T>): Promise<T | undefined> {
    return this.#fresh(key)?.value ?? this.#reading.get(key) ?? this.#read(key, read);
  }

  #fresh(key: string): Entry<T> | undefined {
    const entry = this.#entries.get(key);
    return entry && this.#now() < entry.since + CACHED_MS ? entry : undefined;
  }

  /** A failed refresh is ignored: once the value has expired, the next request reads it again. */
  #renew(key: string, { read }: Entry<T>): void {
    outsideTransaction(() => this.#read(key, read)).catch(() => {});
  }

  #read(key: string, read: Read<T>): Promise<T | undefined> {
    const reading = this.#store(key, read).finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  async #store(key: string, read: Read<T>): Promise<T | undefined> {
    const value = await read();
    // Do not cache missing values: the project may be created at any moment.
    if (value === undefined) this.#entries.delete(key);
    else {
      if (this.#entries.size >= MOST_ENTRIES) this.#entries.clear();
      this.#entries.set(key, { value, since: this.#now(), read });
    }
    return value;
  }
}
