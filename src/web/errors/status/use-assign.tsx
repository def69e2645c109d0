import { type ReactNode, useState } from "react";
import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";
import { useAssignGroups } from "../../data/errors/assign-groups.ts";
import { useProfile } from "../../data/account/session.ts";
import { useCommand } from "../../keys/commands.ts";
import { preloadCombobox } from "../../kit/combobox.tsx";
import { lazyPart } from "../../kit/lazy-part.tsx";
import { LazyPopup } from "../../kit/lazy-popup.tsx";
import type { AssignPickProps } from "./assign-pick.tsx";

const AssignPick = lazyPart(async () => {
  preloadCombobox();
  return (await import("./assign-pick.tsx")).AssignPick;
});

type Groups = readonly ErrorGroupListItem[];

/**
 * Keys to assign errors, how to open the picker beside an element, and the picker to render. The people to choose from
 * differ between projects, so the errors must belong to one.
 */
export function useAssign(
  targets: Groups,
  { what, enabled, anchorOf }: { what: string; enabled: boolean; anchorOf: () => HTMLElement | null },
): [pick: (groups: Groups, anchor: HTMLElement) => void, picker: ReactNode] {
  const me = useProfile().id;
  const assignGroups = useAssignGroups();
  const [picking, setPicking] = useState<Omit<AssignPickProps, "onClose">>();
  const close = () => setPicking(undefined);
  const byKey = () => {
    const anchor = anchorOf();
    if (anchor) setPicking({ groups: targets, anchor });
  };
  useCommand("assign", byKey, { label: `Assign ${what}`, enabled: enabled && isOneProject(targets) });
  useCommand("assignMe", () => assignGroups({ groups: targets, assignee_id: me }), {
    label: `Assign ${what} to me`,
    enabled,
  });
  const picker = picking && (
    <LazyPopup open onCancel={close}>
      <AssignPick {...picking} onClose={close} />
    </LazyPopup>
  );
  return [(groups, anchor) => setPicking({ groups, anchor }), picker];
}

export const isOneProject = (groups: Groups) =>
  new Set(groups.map(({ project_id }) => project_id)).size === 1;
