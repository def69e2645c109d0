/** Above this number, the cache is cleared. Aliases are read again when their events arrive. */
const MAX_KNOWN = 50_000;

/**
 * The fingerprints that were merged into another group, as far as this process has read them, by `groupOf`, with the key of that
 * group. The storing statement fails if an event needs an alias that is missing here or out of date.
 */
export class KnownAliases {
  readonly #targets = new Map<string, Buffer>();

  get size(): number {
    return this.#targets.size;
  }

  targetOf(identity: string): Buffer | undefined {
    return this.#targets.get(identity);
  }

  set(identity: string, target: Buffer | undefined) {
    if (target === undefined) this.#targets.delete(identity);
    else {
      if (this.#targets.size >= MAX_KNOWN) this.#targets.clear();
      this.#targets.set(identity, target);
    }
  }
}
