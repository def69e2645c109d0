/** A deterministic random generator, so that the demo's data is the same on every machine. */
export type Random = {
  /** From 0 (inclusive) to 1 (exclusive). */
  fraction(): number;
  /** From `low` to `high`, both inclusive. */
  integer(low: number, high: number): number;
  chance(probability: number): boolean;
  /** Picks from a list that is not empty. */
  pick<T>(from: readonly T[]): T;
  /** Picks up to `count` different elements, in the list's order. */
  some<T>(from: readonly T[], count: number): T[];
  shuffled<T>(from: readonly T[]): T[];
};

/** A separate generator: how many numbers are drawn from it does not affect the original. */
export const fork = (random: Random): Random => seeded(random.integer(0, 2 ** 32 - 1));

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  // Mulberry32: small, and random enough for sample data.
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (low: number, high: number) => low + Math.floor(fraction() * (high - low + 1));
  const shuffled = <T>(from: readonly T[]) => {
    const list = [...from];
    for (let last = list.length - 1; last > 0; last--) {
      const other = integer(0, last);
      [list[last], list[other]] = [list[other] as T, list[last] as T];
    }
    return list;
  };
  return {
    fraction,
    integer,
    chance: (probability) => fraction() < probability,
    pick: <T>(from: readonly T[]) => from[integer(0, from.length - 1)] as T,
    some: <T>(from: readonly T[], count: number) => {
      const chosen = new Set(shuffled(from.map((_, index) => index)).slice(0, Math.max(0, count)));
      return from.filter((_, index) => chosen.has(index));
    },
    shuffled,
  };
}
