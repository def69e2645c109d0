import { useLocation, useNavigate } from "@tanstack/react-router";
import { ChevronDown, ChevronUp } from "lucide-react";
import type { Issue } from "../../../shared/issues.ts";
import { useCommand } from "../../keys/commands.ts";
import { IconButton } from "../../kit/icon-button.tsx";
import { positionIn, projectKeyOf } from "./issue-position.ts";

/** Position in the list that the issue was opened from, and buttons for the previous and the next issue; nothing without a list. */
export function PreviousNext({ issue }: { issue: Issue }) {
  const navigate = useNavigate();
  const issueKeys = useLocation({ select: ({ state }) => state.issueKeys });
  const found = issueKeys && positionIn(issueKeys, issue.key);
  const go = (to: string | undefined) =>
    to &&
    void navigate({
      to: "/projects/$projectKey/issues/$issueKey",
      params: { projectKey: projectKeyOf(to), issueKey: to },
      state: true,
    });
  useCommand("next", () => go(found?.next), { label: "Next issue", enabled: found?.next !== undefined });
  useCommand("previous", () => go(found?.previous), {
    label: "Previous issue",
    enabled: found?.previous !== undefined,
  });
  if (!found || found.count < 2) return null;
  return (
    <span className="flex items-center gap-0.5">
      <span className="px-1 text-sm text-text-3 max-sm:hidden">
        {found.position} of {found.count}
      </span>
      <IconButton
        icon={ChevronUp}
        label="Previous issue"
        shortcut="k"
        disabled={!found.previous}
        onClick={() => go(found.previous)}
      />
      <IconButton
        icon={ChevronDown}
        label="Next issue"
        shortcut="j"
        disabled={!found.next}
        onClick={() => go(found.next)}
      />
    </span>
  );
}
