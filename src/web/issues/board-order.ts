import type { Issue } from "../../shared/issues.ts";
import type { Lane } from "../../shared/lanes.ts";
import { byRank } from "../data/issues/issues.ts";

/** The issues in the order of the board: lane after lane, from the top of each. */
export function inBoardOrder(issues: readonly Issue[], lanes: readonly Lane[]): Issue[] {
  const positions = new Map(lanes.map(({ id }, index) => [id, index]));
  const position = ({ lane_id }: Issue) => positions.get(lane_id) ?? 0;
  return issues.toSorted((a, b) => position(a) - position(b) || byRank(a, b));
}

/** The open issues in that order, then the closed ones. */
export function openFirst(issues: readonly Issue[], lanes: readonly Lane[]): Issue[] {
  const inOrder = inBoardOrder(issues, lanes);
  const isOpen = ({ closed_at }: Issue) => closed_at === null;
  return [...inOrder.filter(isOpen), ...inOrder.filter((issue) => !isOpen(issue))];
}
