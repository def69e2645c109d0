import { type Ref, useLayoutEffect } from "react";
import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";
import { useAssignGroups } from "../../data/errors/assign-groups.ts";
import { AssigneePicker } from "../../issues/pickers.tsx";

export type AssignPickProps = {
  /** Errors of one project. */
  groups: readonly ErrorGroupListItem[];
  anchor: HTMLElement;
  onClose: () => void;
};

/** Assigns errors to a person, beside the cell, row or button that requested it. */
export function AssignPick({ groups, anchor, onClose }: AssignPickProps) {
  const assignGroups = useAssignGroups();
  const [first, ...others] = groups;
  if (first === undefined) return null;
  const isSame = others.every(({ assignee_id }) => assignee_id === first.assignee_id);
  return (
    <AssigneePicker
      projectId={first.project_id}
      open
      onOpenChange={(open) => !open && onClose()}
      trigger={<Anchor element={anchor} />}
      value={isSame ? first.assignee_id : undefined}
      onChange={(assignee_id) => {
        onClose();
        assignGroups({ groups, assignee_id });
      }}
    />
  );
}

/** Makes an element elsewhere on the page the anchor of the picker. */
function Anchor({ element, ref }: { element: HTMLElement; ref?: Ref<HTMLElement> }) {
  useLayoutEffect(() => {
    if (typeof ref === "function") ref(element);
  }, [element, ref]);
  return null;
}
