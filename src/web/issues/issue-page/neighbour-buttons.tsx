import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChevronDown, ChevronUp } from "lucide-react";
import type { Issue } from "../../../shared/issues.ts";
import type { Project } from "../../../shared/projects.ts";
import { useCommand } from "../../keys/commands.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { neighboursIn } from "./neighbours.ts";

/** To the next and the previous issue of the list one came from; nothing when one came from none. */
export function NeighbourButtons({ project, issue }: { project: Project; issue: Issue }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const found = neighboursIn(client, project.id, issue.id);
  const go = (to: Issue | undefined) =>
    to &&
    void navigate({
      to: "/projects/$projectKey/issues/$issueKey",
      params: { projectKey: project.key, issueKey: to.key },
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
