import type { Db } from "../db/connect.ts";
import { type ProjectAccess, readProjectAccess } from "./project-access.ts";
import { callerBySession, callerByToken, type Caller } from "./caller.ts";

/** A change on another node is seen this much later at most (reliability.md P14 asks for 5 s). */
const FRESH_MS = 1_000;
const MOST = 10_000;
/** No credential of ours is as long: a longer one takes no room here. */
const LONGEST = 100;

/**
 * Who callers are and what they may do, read from the database and remembered for a moment: a stream of error
 * events asks the same question thousands of times a second. This process forgets everything at each change
 * made through it, so that a revocation is effective with its answer.
 */
export class Authority {
  readonly #db: Db;
  #callers = new Map<string, Entry<Caller>>();
  #projects = new Map<string, Entry<ProjectAccess>>();
  /** Credentials that are nobody's, until when that holds; kept apart, so that many of them displace nobody. */
  #strangers = new Map<string, number>();
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
    this.#strangers = new Map();
  }

  async #caller(secret: string, read: () => Promise<Caller | undefined>) {
    if ((this.#strangers.get(secret) ?? 0) > performance.now()) return undefined;
    const epoch = this.#epoch;
    const caller = await this.#remember(this.#callers, secret, read);
    if (caller === undefined && secret.length <= LONGEST && epoch === this.#epoch) {
      if (this.#strangers.size >= MOST) this.#strangers.clear();
      this.#strangers.set(secret, performance.now() + FRESH_MS);
    }
    return caller;
  }

  async #remember<T>(map: Map<string, Entry<T>>, key: string, read: () => Promise<T | undefined>) {
    const known = map.get(key);
    if (known && known.until > performance.now()) return known.value;
    const epoch = this.#epoch;
    const value = await read();
    // What was read before a change must not outlive it; a project that does not exist is asked for anew each time.
    if (value !== undefined && epoch === this.#epoch) {
      if (map.size >= MOST) map.clear();
      map.set(key, { value, until: performance.now() + FRESH_MS });
    }
    return value;
  }
}

type Entry<T> = { value: T; until: number };
