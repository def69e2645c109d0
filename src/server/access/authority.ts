import type { Db } from "../db/connect.ts";
import { batchedLookup } from "../db/batched-lookup.ts";
import { type ProjectAccess, readProjectAccesses } from "./project-access.ts";
import { callerBySession, callersByTokens, type Caller } from "./caller.ts";
import { ShortCache, CACHED_MS, MOST_ENTRIES } from "./short-cache.ts";

/** Characters; no real credential is longer. Longer ones are not cached, so that they cannot fill the memory. */
const LONGEST_CREDENTIAL = 100;

/**
 * Caches for a second who callers are and what they may do, because a stream of error events needs the same facts thousands
 * of times per second. Every write through this process clears the cache, so that a revocation is effective when its response
 * is sent. Lookups are batched, because a fleet with many tokens needs each of them every second.
 */
export class Authority {
  readonly #db: Db;
  readonly #readToken: (token: string) => Promise<Caller | undefined>;
  readonly #readProject: (asked: { ref: string; userId: number }) => Promise<ProjectAccess | undefined>;
  #callers = new ShortCache<Caller>();
  #projects = new ShortCache<ProjectAccess>();
  /** Invalid credentials and when their entries expire. Cached separately, so that a flood of them evicts no valid one. */
  #invalid = new Map<string, number>();

  constructor(db: Db) {
    this.#db = db;
    this.#readToken = batchedLookup((tokens) => callersByTokens(db, tokens));
    this.#readProject = batchedLookup((asked) => readProjectAccesses(db, asked));
  }

  async callerByToken(token: string): Promise<Caller | undefined> {
    return unlessSession(await this.#caller(token, () => this.#readToken(token)));
  }

  callerBySession(secret: string): Promise<Caller | undefined> {
    return this.#caller(secret, () => callerBySession(this.#db, secret));
  }

  project(ref: string, userId: number): Promise<ProjectAccess | undefined> {
    return this.#projects.get(`${userId} ${ref}`, () => this.#readProject({ ref, userId }));
  }

  /** Returns the result of `callerByToken` if it is cached. */
  knownCallerByToken(token: string): Caller | undefined {
    return unlessSession(this.#callers.known(token));
  }

  /** Returns the result of `project` if it is cached. */
  knownProject(ref: string, userId: number): ProjectAccess | undefined {
    return this.#projects.known(`${userId} ${ref}`);
  }

  /** Replaces the caches, so that later requests do not share reads in progress, which may return outdated values. */
  forget(): void {
    this.#callers = new ShortCache();
    this.#projects = new ShortCache();
    this.#invalid = new Map();
  }

  async #caller(secret: string, read: () => Promise<Caller | undefined>) {
    if ((this.#invalid.get(secret) ?? 0) > performance.now()) return undefined;
    const invalid = this.#invalid;
    const caller = await this.#callers.get(secret, read);
    if (caller === undefined && secret.length <= LONGEST_CREDENTIAL) {
      if (invalid.size >= MOST_ENTRIES) invalid.clear();
      invalid.set(secret, performance.now() + CACHED_MS);
    }
    return caller;
  }
}

/** Callers are cached by their secret, and the secret of a session is no token. */
const unlessSession = (caller: Caller | undefined) => (caller?.kind === "session" ? undefined : caller);
