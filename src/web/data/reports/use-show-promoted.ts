import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Project } from "../../../shared/projects.ts";
import { can } from "../projects/projects.ts";
import { readPromoted } from "./promote.ts";
import { type beginChange, toast } from "../../kit/notices/toast.ts";
import { undoPromotion } from "./undo-promotion.ts";
import type { Promoted } from "./promoted.ts";

type ShowPromoted = (
  project: Project,
  promoted: Promoted,
  change: ReturnType<typeof beginChange> | undefined,
) => void;

/** Returns a function that names the issue of a promotion, with buttons that open it and take the promotion back. */
export function useShowPromoted(): ShowPromoted {
  const navigate = useNavigate();
  const client = useQueryClient();
  const show = async (...[project, promoted, change]: Parameters<ShowPromoted>) => {
    const { issueId, reportIds, group } = promoted;
    const isShown = issueId !== null && can(project, "issues:read");
    const issue = isShown ? await readPromoted(project.id, issueId) : undefined;
    const name = issue?.key ?? "The issue";
    const openIssue = () =>
      void navigate({
        to: "/projects/$projectKey/issues/$issueKey",
        params: { projectKey: project.key, issueKey: issue?.key ?? String(issueId) },
      });
    toast({
      ...textOf(promoted, name),
      tone: "success",
      subjects: [...reportIds.map((id) => `report:${id}`), ...(group ? [`error_group:${group.id}`] : [])],
      ...(isShown && { action: { label: `Open ${issue?.key ?? "the issue"}`, onSelect: openIssue } }),
      change,
      undo: () => undoPromotion(client, project.id, promoted, name),
    });
  };
  return (...args) => void show(...args);
}

function textOf({ isNew, reportIds, group }: Promoted, issue: string) {
  const count = reportIds.length;
  const reports = count === 1 ? "1 report" : `${count} reports`;
  const sources = [...(group ? [group.exception_class] : []), ...(count > 0 ? [reports] : [])].join(" and ");
  if (!isNew) return { title: `${sources} added to ${issue}` };
  return { title: `${issue} created`, description: group || count > 1 ? `From ${sources}` : undefined };
}
