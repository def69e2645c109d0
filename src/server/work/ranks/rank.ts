import { generateKeyBetween } from "fractional-indexing";

/**
 * Ranks order the rows of a queue or a lane: strings of ASCII letters and digits, compared byte by byte (the columns are
 * `collate "C"`). Between any two ranks there is room for another, so a move changes only the rank of the moved row. Ranks
 * grow by about one character per five moves to the same position.
 */

/** A rank between the two. Null stands for the beginning or the end of the list. */
export function rankBetween(before: string | null, after: string | null): string {
  // The library accepts reversed arguments, and the row would end up in a wrong position.
  if (before !== null && after !== null && before >= after)
    throw new Error(`the rank ${before} does not stand before ${after}`);
  return generateKeyBetween(before, after);
}

/** `count` ascending ranks after `last`. */
export function ranksBehind(last: string | null, count: number): string[] {
  const ranks: string[] = [];
  for (let rank = last; ranks.length < count; ranks.push(rank)) rank = rankBetween(rank, null);
  return ranks;
}
