import { batchedLookup } from "../db/batched-lookup.ts";
import type { Db } from "../db/connect.ts";
import { CachedLookup, type CachedLookups } from "./cached-lookup.ts";
import { callerBySession, callersByTokens, type Caller } from "./caller.ts";
import { looksLikeIngestKey, readIngestKeys, type IngestKey } from "./ingest-key.ts";
import { readProjectAccesses, type ProjectAccess } from "./project-access.ts";

type Asked = { ref: string; userId: number };

/**
 * Who callers are and what they may do, up to a second old, because a stream of error events needs the same facts thousands of
 * times per second. Every write through this process forgets them, so that a revocation is effective when its response is sent.
 * Lookups are batched, because a fleet with many tokens needs each of them every second.
 */
export class Authority {
  readonly #tokens: CachedLookup<string, Caller>;
  readonly #sessions: CachedLookup<string, Caller>;
  readonly #projects: CachedLookup<Asked, ProjectAccess>;
  readonly #ingestKeys: CachedLookup<string, IngestKey>;

  constructor(db: Db, lookups: CachedLookups) {
    const tokens = batchedLookup((tokens: string[]) => callersByTokens(db, tokens));
    const projects = batchedLookup((asked: Asked[]) => readProjectAccesses(db, asked));
    const ingestKeys = batchedLookup((keys: string[]) => readIngestKeys(db, keys));
    const keyOf = ({ ref, userId }: Asked) => `${userId} ${ref}`;
    this.#tokens = lookups.add(new CachedLookup(tokens));
    this.#sessions = lookups.add(new CachedLookup((secret) => callerBySession(db, secret)));
    this.#projects = lookups.add(new CachedLookup(projects, { keyOf }));
    this.#ingestKeys = lookups.add(new CachedLookup(ingestKeys));
  }

  callerByToken(token: string): Promise<Caller | undefined> {
    return this.#tokens.get(token);
  }

  callerBySession(secret: string): Promise<Caller | undefined> {
    return this.#sessions.get(secret);
  }

  project(ref: string, userId: number): Promise<ProjectAccess | undefined> {
    return this.#projects.get({ ref, userId });
  }

  /** The ingest key with this text, active or not; undefined if there is none or its project is deleted. */
  async ingestKey(text: string): Promise<IngestKey | undefined> {
    return looksLikeIngestKey(text) ? this.#ingestKeys.get(text) : undefined;
  }

  /** Returns the result of `callerByToken` if it is cached. */
  knownCallerByToken(token: string): Caller | undefined {
    return this.#tokens.known(token);
  }

  /** Returns the result of `project` if it is cached. */
  knownProject(ref: string, userId: number): ProjectAccess | undefined {
    return this.#projects.known({ ref, userId });
  }

  /** Returns the result of `ingestKey` if it is cached. */
  knownIngestKey(text: string): IngestKey | undefined {
    return this.#ingestKeys.known(text);
  }
}
