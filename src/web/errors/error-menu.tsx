import { useNavigate } from "@tanstack/react-router";
import { BellOff, CircleCheck, CircleDot, Ellipsis, RotateCcw } from "lucide-react";
import type { ErrorGroupListItem, ErrorGroupStatus } from "../../shared/error-groups.ts";
import type { Project } from "../../shared/projects.ts";
import { CATALOG } from "../keys/catalog.ts";
import { can } from "../data/projects.ts";
import { IconButton } from "../kit/icon-button.tsx";
import { Menu } from "../kit/menu.tsx";
import { canBecome, IGNORED, OPEN, RESOLVED } from "./states.ts";

export const STATUS_ICONS = { [OPEN]: RotateCcw, [RESOLVED]: CircleCheck, [IGNORED]: BellOff } as const;

type Props = {
  group: ErrorGroupListItem;
  project: Project;
  tabIndex: 0 | -1;
  onStatus: (status: ErrorGroupStatus) => void;
  onPromote: () => void;
  onPeek: () => void;
};

/** The actions for a row, for pointer and touch. */
export function ErrorMenu({ group, project, tabIndex, onStatus, onPromote, onPeek }: Props) {
  const navigate = useNavigate();
  const may = can(project, "error-groups:update");
  const issueId = group.linked_issue_id;
  return (
    <Menu
      label={`Actions for ${group.exception_class}`}
      align="end"
      trigger={
        <IconButton
          size="sm"
          label={`Actions for ${group.exception_class}`}
          icon={Ellipsis}
          tabIndex={tabIndex}
        />
      }
      items={[
        { label: "Peek", shortcut: CATALOG.peek.keys, onSelect: onPeek },
        may &&
          canBecome(group, RESOLVED) && {
            label: "Resolve",
            icon: STATUS_ICONS[RESOLVED],
            shortcut: CATALOG.resolve.keys,
            onSelect: () => onStatus(RESOLVED),
          },
        may &&
          canBecome(group, IGNORED) && {
            label: "Ignore",
            icon: STATUS_ICONS[IGNORED],
            shortcut: CATALOG.dismiss.keys,
            onSelect: () => onStatus(IGNORED),
          },
        may &&
          canBecome(group, OPEN) && {
            label: group.status === OPEN ? "Mark as open" : "Reopen",
            icon: STATUS_ICONS[OPEN],
            shortcut: CATALOG.reopen.keys,
            onSelect: () => onStatus(OPEN),
          },
        may &&
          issueId === null && {
            label: "Promote to issue",
            icon: CircleDot,
            shortcut: CATALOG.promote.keys,
            onSelect: onPromote,
          },
        issueId !== null && {
          label: "Open issue",
          icon: CircleDot,
          onSelect: () =>
            void navigate({
              to: "/projects/$projectKey/issues/$issueKey",
              params: { projectKey: project.key, issueKey: String(issueId) },
            }),
        },
      ]}
    />
  );
}
