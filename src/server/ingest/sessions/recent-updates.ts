const KEPT_MS = 10 * 60_000;

const MAX_KEPT = 200_000;

/**
 * The updates of sessions of the last ten minutes, or of the last hundreds of thousands if there are more, so that an update that an
 * SDK sends again counts once.
 */
export class RecentUpdates {
  readonly #now: () => number;
  #newer = new HashTable();
  #older = new HashTable();
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
      this.#newer = new HashTable();
      this.#since = this.#now();
    }
    this.#newer.add(update);
    return true;
  }
}

/** A power of two, of which `MAX_KEPT` hashes fill less than half. */
const SLOTS = 2 ** 19;

/**
 * A set of numbers above 0 in 4 MiB, allocated for the first one. A `Set` stops all requests for tens of milliseconds when it grows to
 * hundreds of thousands of numbers.
 */
class HashTable {
  size = 0;
  #slots: Float64Array | undefined;

  has(hash: number): boolean {
    return this.#slots !== undefined && this.#slots[slotOf(this.#slots, hash)] === hash;
  }

  add(hash: number): void {
    this.#slots ??= new Float64Array(SLOTS);
    this.#slots[slotOf(this.#slots, hash)] = hash;
    this.size++;
  }
}

/** Where the hash is, or the empty slot where it belongs. */
function slotOf(slots: Float64Array, hash: number): number {
  let slot = hash % SLOTS;
  while (slots[slot] !== 0 && slots[slot] !== hash) slot = (slot + 1) % SLOTS;
  return slot;
}

/** Two 32-bit FNV-1a hashes, of which 53 bits fit into a number. Never 0. */
function hashOf(text: string): number {
  let high = 0x811c9dc5;
  let low = 0x01000193;
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b) + n;
  }
  return (high >>> 11) * 0x1_0000_0000 + (low >>> 0) || 1;
}
