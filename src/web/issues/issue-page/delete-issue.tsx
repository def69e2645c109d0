import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Issue } from "../../../shared/issues.ts";
import type { Project } from "../../../shared/projects.ts";
import { deleteIssue } from "../../data/issues/change-issues.ts";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { toast } from "../../kit/notices/toast.ts";

type Props = { project: Project; issue: Issue; open: boolean; onClose: () => void };

/** Asks for confirmation, and says what will be deleted and what will not. */
export function DeleteIssue({ project, issue, open, onClose }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => deleteIssue(issue),
    onSuccess: async () => {
      toast({ title: `${issue.key} deleted`, tone: "success", subjects: [`issue:${issue.id}`] });
      await navigate({ to: "/projects/$projectKey/issues", params: { projectKey: project.key } });
      client.removeQueries({ queryKey: ["issue", project.id, "one"] });
      await client.invalidateQueries({ queryKey: ["issue"] });
    },
  });
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Delete ${issue.key}?`}
      confirm="Delete issue"
      onConfirm={() => remove.mutateAsync()}
    >
      {consequence(issue)}
    </ConfirmDialog>
  );
}

function consequence({ comments_count, report_ids, error_group_id }: Issue): string {
  const comments =
    comments_count === 0
      ? ""
      : comments_count === 1
        ? " and its comment"
        : ` and its ${comments_count} comments`;
  const linked = [
    ...(report_ids.length > 0 ? [report_ids.length === 1 ? "report" : "reports"] : []),
    ...(error_group_id === null ? [] : ["error group"]),
  ];
  const kept = linked.length === 0 ? "" : ` The linked ${linked.join(" and ")} will be kept.`;
  return `Its history${comments} will also be deleted.${kept} This can’t be undone.`;
}
