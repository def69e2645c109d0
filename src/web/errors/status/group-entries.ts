import { BellOff, CircleCheck, CircleDot, Link2, PackageCheck, RotateCcw, UserRound } from "lucide-react";
import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";
import { CATALOG } from "../../keys/catalog.ts";
import type { MenuEntry } from "../../kit/menu-entry.ts";
import { canBecome, IGNORED, OPEN, RESOLVED, type StatusChange } from "../../data/errors/group-status.ts";
import { releaseEntries, snoozeEntries, type StatusQuestion } from "./status-entries.ts";

export const STATUS_ICONS = { [OPEN]: RotateCcw, [RESOLVED]: CircleCheck, [IGNORED]: BellOff } as const;

export type GroupHandlers = {
  onChange: (change: StatusChange) => void;
  onAsk: (question: StatusQuestion) => void;
  onPromote: () => void;
  /** Undefined where another control does it. */
  onAssign?: (() => void) | undefined;
  onLink?: (() => void) | undefined;
  onOpenIssue: () => void;
};

type Options = { mayUpdate: boolean; now: Date; timeZone: string };

/** All actions on one error, for menus. */
export function groupEntries(
  group: ErrorGroupListItem,
  { onChange, onAsk, onPromote, onAssign, onLink, onOpenIssue }: GroupHandlers,
  { mayUpdate, now, timeZone }: Options,
): MenuEntry[] {
  const openIssue = group.linked_issue_id !== null && {
    label: "Open issue",
    icon: CircleDot,
    onSelect: onOpenIssue,
  };
  if (!mayUpdate) return [openIssue];
  const isSnoozed = group.snoozed_until !== null;
  return [
    canBecome(group, RESOLVED) && {
      label: "Resolve",
      icon: STATUS_ICONS[RESOLVED],
      shortcut: CATALOG.resolve.keys,
      onSelect: () => onChange({ status: RESOLVED }),
    },
    { label: "Fixed in", icon: PackageCheck, items: releaseEntries({ onChange, onAsk }) },
    canBecome(group, IGNORED) && {
      label: "Ignore",
      icon: STATUS_ICONS[IGNORED],
      shortcut: CATALOG.dismiss.keys,
      onSelect: () => onChange({ status: IGNORED }),
    },
    {
      label: "Snooze",
      icon: STATUS_ICONS[IGNORED],
      items: snoozeEntries({ isSnoozed, now, timeZone, onChange, onAsk }),
    },
    canBecome(group, OPEN) && {
      label: group.status === OPEN ? "Mark as open" : "Reopen",
      icon: STATUS_ICONS[OPEN],
      shortcut: CATALOG.reopen.keys,
      onSelect: () => onChange({ status: OPEN }),
    },
    onAssign && {
      label: "Assign",
      icon: UserRound,
      shortcut: CATALOG.assign.keys,
      takesFocus: true,
      onSelect: onAssign,
    },
    group.linked_issue_id === null && {
      label: "Promote to issue",
      icon: CircleDot,
      shortcut: CATALOG.promote.keys,
      onSelect: onPromote,
    },
    onLink &&
      group.linked_issue_id === null && {
        label: "Link to issue…",
        icon: Link2,
        takesFocus: true,
        onSelect: onLink,
      },
    openIssue,
  ];
}
