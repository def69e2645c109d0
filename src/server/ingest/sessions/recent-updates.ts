const KEPT_MS = 10 * 60_000;

/** About 16 MB. */
const MAX_KEPT = 200_000;

/**
 * The updates of sessions of the last ten minutes, or of the last hundreds of thousands if there are more, so that an update that an
 * SDK sends again counts once.
 */
export class RecentUpdates {
  readonly #now: () => number;
  #newer = new Set<number>();
  #older = new Set<number>();
  #since: number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#since = now();
  }

  /** Whether the update is new. */
  add(projectId: number, sessionId: string, mark: string): boolean {
    const update = hashOf(`${projectId} ${sessionId} ${mark}`);
    if (this.#newer.has(update) || this.#older.has(update)) return false;
    if (this.#newer.size >= MAX_KEPT || this.#now() - this.#since > KEPT_MS) {
      this.#older = this.#newer;
      this.#newer = new Set();
      this.#since = this.#now();
    }
    this.#newer.add(update);
    return true;
  }
}

/** Two 32-bit FNV-1a hashes, of which 53 bits fit into a number. */
function hashOf(text: string): number {
  let high = 0x811c9dc5;
  let low = 0x01000193;
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b) + n;
  }
  return (high >>> 11) * 0x1_0000_0000 + (low >>> 0);
}
