import { batchedLookup } from "../db/batched-lookup.ts";
import type { Db } from "../db/connect.ts";
import { ShortCache } from "./short-cache.ts";

type Lookup<Key, Value> = { cache: ShortCache<Value>; read: (key: Key) => Promise<Value | undefined> };

/** Combines concurrent lookups into one statement, and caches their values for a second. */
export class CachedLookup<Key extends string | number, Value> {
  readonly #readAll: (db: Db, keys: Key[]) => Promise<(Value | undefined)[]>;
  /** Each database has its own values; tests open several in one process. */
  readonly #byDatabase = new WeakMap<Db, Lookup<Key, Value>>();

  /** `readAll` returns one value for each key, in the same order. Undefined values are not cached. */
  constructor(readAll: (db: Db, keys: Key[]) => Promise<(Value | undefined)[]>) {
    this.#readAll = readAll;
  }

  get(db: Db, key: Key): Promise<Value | undefined> {
    const { cache, read } = this.#of(db);
    return cache.get(String(key), () => read(key));
  }

  /** The value if it is cached. */
  known(db: Db, key: Key): Value | undefined {
    return this.#byDatabase.get(db)?.cache.known(String(key));
  }

  /** Makes changes take effect immediately in this process. */
  forget(db: Db): void {
    this.#byDatabase.delete(db);
  }

  #of(db: Db): Lookup<Key, Value> {
    let lookup = this.#byDatabase.get(db);
    if (!lookup) {
      const read = batchedLookup((keys: Key[]) => this.#readAll(db, keys));
      this.#byDatabase.set(db, (lookup = { cache: new ShortCache(), read }));
    }
    return lookup;
  }
}
