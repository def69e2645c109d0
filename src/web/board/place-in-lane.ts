import { neighborsAt } from "../lists/lift.ts";

/** The body of a move request: the issue directly above, else the one directly below, else neither. */
export type Neighbors = { rank_before_id?: number; rank_after_id?: number };

/**
 * The position of a card in its whole `lane`, given its `index` among the other `shown` cards; filters and swim lanes
 * hide the rest. The card goes directly after the shown card above it; at the top, directly before the one below it; if
 * no other card is shown, to the end of the lane.
 */
export function placeInLane(
  lane: readonly number[],
  shown: readonly number[],
  id: number,
  index: number,
): Neighbors {
  const { before, after } = neighborsAt(shown, id, index);
  if (before !== null) return { rank_before_id: before };
  const others = lane.filter((other) => other !== id);
  const place = after === null ? others.length : others.indexOf(after);
  const above = others[place - 1];
  if (above !== undefined) return { rank_before_id: above };
  return after === null ? {} : { rank_after_id: after };
}
