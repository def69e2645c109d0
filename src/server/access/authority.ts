import type { Db } from "../db/connect.ts";
import { type ProjectAccess, readProjectAccess } from "./project-access.ts";
import { callerBySession, callerByToken, type Caller } from "./caller.ts";

/** A change made through another process takes effect within this time. */
const FRESH_MS = 1_000;
const MOST_ENTRIES = 10_000;
/** Longer than any real credential. Longer ones are not cached, so that they cannot fill the memory. */
const LONGEST_CREDENTIAL = 100;

/**
 * Caches who callers are and what they may do, because a stream of error events asks the same thousands of times per
 * second. Every change made through this process clears the cache, so that a revocation is effective when its
 * response is sent.
 */
export class Authority {
  readonly #db: Db;
  #callers = new Map<string, Entry<Caller>>();
  #projects = new Map<string, Entry<ProjectAccess>>();
  /** Invalid credentials with the end of their entry. Cached apart, so that a flood of them evicts no valid one. */
  #invalid = new Map<string, number>();
  #epoch = 0;

  constructor(db: Db) {
    this.#db = db;
  }

  callerByToken(token: string): Promise<Caller | undefined> {
    return this.#caller(token, () => callerByToken(this.#db, token));
  }

  callerBySession(secret: string): Promise<Caller | undefined> {
    return this.#caller(secret, () => callerBySession(this.#db, secret));
  }

  project(ref: string, userId: number): Promise<ProjectAccess | undefined> {
    return this.#remember(this.#projects, `${userId} ${ref}`, () => readProjectAccess(this.#db, ref, userId));
  }

  forget(): void {
    this.#epoch++;
    this.#callers = new Map();
    this.#projects = new Map();
    this.#invalid = new Map();
  }

  async #caller(secret: string, read: () => Promise<Caller | undefined>) {
    if ((this.#invalid.get(secret) ?? 0) > performance.now()) return undefined;
    const epoch = this.#epoch;
    const caller = await this.#remember(this.#callers, secret, read);
    if (caller === undefined && secret.length <= LONGEST_CREDENTIAL && epoch === this.#epoch) {
      if (this.#invalid.size >= MOST_ENTRIES) this.#invalid.clear();
      this.#invalid.set(secret, performance.now() + FRESH_MS);
    }
    return caller;
  }

  async #remember<T>(map: Map<string, Entry<T>>, key: string, read: () => Promise<T | undefined>) {
    const known = map.get(key);
    if (known && known.until > performance.now()) return known.value;
    const epoch = this.#epoch;
    const value = await read();
    // Do not cache what was read before a change. A missing project is not cached: it may be created at any moment.
    if (value !== undefined && epoch === this.#epoch) {
      if (map.size >= MOST_ENTRIES) map.clear();
      map.set(key, { value, until: performance.now() + FRESH_MS });
    }
    return value;
  }
}

type Entry<T> = { value: T; until: number };
