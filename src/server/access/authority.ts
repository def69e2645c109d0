import { atMost } from "../db/at-most.ts";
import type { Db } from "../db/connect.ts";
import { type ProjectAccess, readProjectAccess } from "./project-access.ts";
import { callerBySession, callerByToken, type Caller } from "./caller.ts";
import { Fresh, FRESH_MS, MOST_ENTRIES } from "./fresh.ts";

/** Longer than any real credential. Longer ones are not cached, so that they cannot fill the memory. */
const LONGEST_CREDENTIAL = 100;

/**
 * A fleet with many tokens makes a short look-up for each every second. All at once, they would take and keep a connection
 * each, with several megabytes of memory in PostgreSQL.
 */
const TOKENS_AT_ONCE = 2;

/**
 * Caches who callers are and what they may do, because a stream of error events asks the same thousands of times per
 * second. Every change made through this process clears the cache, so that a revocation is effective when its
 * response is sent.
 */
export class Authority {
  readonly #db: Db;
  readonly #inTurn = atMost(TOKENS_AT_ONCE);
  #callers = new Fresh<Caller>();
  #projects = new Fresh<ProjectAccess>();
  /** Invalid credentials with the end of their entry. Cached apart, so that a flood of them evicts no valid one. */
  #invalid = new Map<string, number>();

  constructor(db: Db) {
    this.#db = db;
  }

  callerByToken(token: string): Promise<Caller | undefined> {
    return this.#caller(token, () => this.#inTurn(() => callerByToken(this.#db, token)));
  }

  callerBySession(secret: string): Promise<Caller | undefined> {
    return this.#caller(secret, () => callerBySession(this.#db, secret));
  }

  project(ref: string, userId: number): Promise<ProjectAccess | undefined> {
    return this.#projects.get(`${userId} ${ref}`, () => readProjectAccess(this.#db, ref, userId));
  }

  /** The same, if it was read a moment ago. */
  knownCallerByToken(token: string): Caller | undefined {
    return this.#callers.known(token);
  }

  /** The same, if it was read a moment ago. */
  knownProject(ref: string, userId: number): ProjectAccess | undefined {
    return this.#projects.known(`${userId} ${ref}`);
  }

  /** What is being read at this moment may have changed, too, so later requests do not share it. */
  forget(): void {
    this.#callers = new Fresh();
    this.#projects = new Fresh();
    this.#invalid = new Map();
  }

  async #caller(secret: string, read: () => Promise<Caller | undefined>) {
    if ((this.#invalid.get(secret) ?? 0) > performance.now()) return undefined;
    const invalid = this.#invalid;
    const caller = await this.#callers.get(secret, read);
    if (caller === undefined && secret.length <= LONGEST_CREDENTIAL) {
      if (invalid.size >= MOST_ENTRIES) invalid.clear();
      invalid.set(secret, performance.now() + FRESH_MS);
    }
    return caller;
  }
}
