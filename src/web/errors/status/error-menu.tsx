import { useNavigate } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import { use } from "react";
import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { CATALOG } from "../../keys/catalog.ts";
import { can } from "../../data/projects/projects.ts";
import { IconButton } from "../../kit/icon-button.tsx";
import { Menu } from "../../kit/menu.tsx";
import { TimeZoneContext, useNow } from "../../kit/dates/time.tsx";
import { messageId } from "./message-id.ts";
import { groupEntries, type GroupHandlers } from "./group-entries.ts";

type Props = Omit<GroupHandlers, "onOpenIssue"> & {
  group: ErrorGroupListItem;
  project: Project;
  tabIndex?: 0 | -1;
  onPeek?: () => void;
};

/** The actions on an error: in a row for pointer and touch, and on narrow screens on its page. */
export function ErrorMenu({ group, project, tabIndex, onPeek, ...handlers }: Props) {
  const navigate = useNavigate();
  const timeZone = use(TimeZoneContext);
  const now = useNow();
  const onOpenIssue = () =>
    void navigate({
      to: "/projects/$projectKey/issues/$issueKey",
      params: { projectKey: project.key, issueKey: String(group.linked_issue_id) },
    });
  return (
    <Menu
      label={`Actions for ${group.exception_class}`}
      align="end"
      trigger={
        <IconButton
          size={onPeek ? "sm" : "md"}
          label={`Actions for ${group.exception_class}`}
          icon={Ellipsis}
          aria-describedby={onPeek && messageId(group)}
          tabIndex={tabIndex}
        />
      }
      // Every row has a menu, and its entries format times.
      items={() => [
        onPeek && { label: "Peek", shortcut: CATALOG.peek.keys, onSelect: onPeek },
        ...groupEntries(
          group,
          { ...handlers, onOpenIssue },
          { mayUpdate: can(project, "error-groups:update"), now: new Date(now), timeZone },
        ),
      ]}
    />
  );
}
