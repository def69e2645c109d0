import { generateKeyBetween } from "fractional-indexing";

/**
 * Ranks order the rows of a queue or a lane: strings of ASCII letters and digits, compared byte by byte (the columns
 * are `collate "C"`). Between any two there is room for another, so a move changes the rank of the moved row alone
 * (service.md 3.1). A rank grows by about one character for five moves to the very same place.
 */

/** A rank between the two; `null` stands for the beginning and for the end. */
export function rankBetween(before: string | null, after: string | null): string {
  // The library would take them the other way round, and the row would land where nobody asked for it.
  if (before !== null && after !== null && before >= after)
    throw new Error(`the rank ${before} does not stand before ${after}`);
  return generateKeyBetween(before, after);
}

/** Ranks behind `last` for `count` rows, in their order. */
export function ranksBehind(last: string | null, count: number): string[] {
  const ranks: string[] = [];
  for (let rank = last; ranks.length < count; ranks.push(rank)) rank = rankBetween(rank, null);
  return ranks;
}
