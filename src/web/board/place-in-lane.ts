import { neighborsAt } from "../lists/lift.ts";

/** As the move takes them: the one directly above, else the one directly below, else neither. */
export type Neighbors = { rank_before_id?: number; rank_after_id?: number };

/**
 * Where a card is to stand in its lane, when `shown` is what one sees of it: filters and swim lanes hide the rest. It
 * goes right behind the card that is shown above it; at the top, right ahead of the one below; among nothing, to the
 * lane's end. `lane` has the whole lane in its order; `index` is the place among the other shown cards.
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
