import { useLocation, useNavigate } from "@tanstack/react-router";
import { ChevronDown, ChevronUp } from "lucide-react";
import type { Issue } from "../../../shared/issues.ts";
import { useCommand } from "../../keys/commands.ts";
import { IconButton } from "../../kit/icon-button.tsx";
import { beside, projectKeyOf } from "./neighbours.ts";

/** To the next and the previous issue of the list one came from; nothing when one came from none. */
export function NeighbourButtons({ issue }: { issue: Issue }) {
  const navigate = useNavigate();
  const issueKeys = useLocation({ select: ({ state }) => state.issueKeys });
  const found = issueKeys && beside(issueKeys, issue.key);
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
  if (!found || found.of < 2) return null;
  return (
    <span className="flex items-center gap-0.5">
      <span className="px-1 text-sm text-text-3 max-sm:hidden">
        {found.place} of {found.of}
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
