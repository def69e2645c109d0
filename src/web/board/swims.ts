import type { Issue } from "../../shared/issues.ts";
import type { IssueReferences } from "../data/projects/use-issue-names.ts";
import { groupsOf } from "../issues/issue-groups.ts";
import { fieldOf, type Grouping, type Swim } from "./board-cells.ts";

/** All rows of a grouped board, in order. `isEmpty` holds for those without visible cards. */
export function swimsOf(grouping: Grouping, issueNames: IssueReferences, visible: readonly Issue[]): Swim[] {
  const used = new Set(visible.map((issue) => issue[fieldOf(grouping)]));
  const groups = groupsOf(grouping, issueNames);
  // Former members, and epics that the user may not read, can still have cards.
  const others = [...used].filter((id) => !groups.some((group) => group.id === id));
  return [...groups, ...others.map((id) => ({ id, name: "Unknown" }))].map(({ id, name }) => ({
    key: String(id),
    id,
    name,
    isEmpty: !used.has(id),
  }));
}

/** Without the empty rows. If all are empty, the one for issues without an epic or assignee remains, to add cards to. */
export function filledSwims(swims: readonly Swim[]): readonly Swim[] {
  const filled = swims.filter(({ isEmpty }) => isEmpty !== true);
  return filled.length > 0 ? filled : swims.filter(({ id }) => id === null);
}
