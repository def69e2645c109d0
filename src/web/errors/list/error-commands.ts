import type { ErrorGroupListItem, ErrorGroupStatus } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { canBecome } from "../../data/errors/group-status.ts";
import { can } from "../../data/projects/projects.ts";
import { leaves, type View } from "../view.ts";

/** The project of an error; undefined if the user cannot access it. */
export type ProjectOf = (group: Pick<ErrorGroupListItem, "project_id">) => Project | undefined;

export type MayUpdate = (group: ErrorGroupListItem) => boolean;

export const mayUpdateIn =
  (projectOf: ProjectOf): MayUpdate =>
  (group) => {
    const project = projectOf(group);
    return project !== undefined && can(project, "error-groups:update");
  };

type Candidates = {
  selected: readonly ErrorGroupListItem[];
  /** The error in the preview. */
  peeked: ErrorGroupListItem | null;
  /** The row of the cursor. */
  current: ErrorGroupListItem | undefined;
};

/** The errors that a key or a command acts on: the selected ones, or else the one in the preview or under the cursor. */
export function commandTargets({ selected, peeked, current }: Candidates) {
  const target = peeked ?? current;
  const targets = selected.length > 0 ? selected : target ? [target] : [];
  // For the command palette.
  const what = selected.length > 1 ? `${selected.length} errors` : (targets[0]?.exception_class ?? "");
  return { target, targets, what };
}

/** Whether commands may change the targets. The server refuses those of a selection that the user must not change. */
export function mayChange(
  { selected, peeked, current }: Candidates,
  { mayUpdate, mayUpdateAny }: { mayUpdate: MayUpdate; mayUpdateAny: boolean },
): boolean {
  const target = peeked ?? current;
  return mayUpdateAny && (selected.length > 0 || (target !== undefined && mayUpdate(target)));
}

/** Whether the status can be set on any of the errors. */
export const canAnyBecome = (groups: readonly ErrorGroupListItem[], status: ErrorGroupStatus): boolean =>
  groups.some((group) => canBecome(group, status));

/** Whether an issue can be created from the error. */
export const canPromote = (group: ErrorGroupListItem | undefined, mayUpdate: MayUpdate): boolean =>
  group !== undefined && mayUpdate(group) && group.linked_issue_id === null;

/** The server merges at most 100 groups into another one. */
const MAX_MERGED = 101;

/** Whether the errors can be merged: they belong to one project and one environment. */
export function canMerge(groups: readonly ErrorGroupListItem[], mayUpdate: MayUpdate): boolean {
  const [first] = groups;
  return (
    first !== undefined &&
    groups.length > 1 &&
    groups.length <= MAX_MERGED &&
    mayUpdate(first) &&
    groups.every(
      ({ project_id, environment }) => project_id === first.project_id && environment === first.environment,
    )
  );
}

/** The ids of the errors that leave the tab by getting the status. */
export const leavingIds = (
  groups: readonly ErrorGroupListItem[],
  status: ErrorGroupStatus,
  view: View,
): number[] => groups.filter((group) => leaves(group, status, view)).map(({ id }) => id);
