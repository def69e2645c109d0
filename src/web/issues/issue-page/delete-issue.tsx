import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Issue } from "../../../shared/issues.ts";
import type { Project } from "../../../shared/projects.ts";
import { api } from "../../api/client.ts";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { toast } from "../../kit/toast.ts";

type Props = { project: Project; issue: Issue; open: boolean; onClose: () => void };

/** Asks, and says what goes and what stays. */
export function DeleteIssue({ project, issue, open, onClose }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => api.delete(`/api/projects/${project.id}/issues/${issue.id}`),
    onSuccess: async () => {
      toast({ title: `${issue.key} deleted`, tone: "success" });
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
  const goes =
    comments_count === 0
      ? "Its history goes with it."
      : `Its history and ${comments_count === 1 ? "its comment" : `its ${comments_count} comments`} go with it.`;
  const linked = [
    ...(report_ids.length > 0 ? [report_ids.length === 1 ? "report" : "reports"] : []),
    ...(error_group_id === null ? [] : ["error group"]),
  ];
  const stays = linked.length === 0 ? "" : ` The ${linked.join(" and the ")} it was made from stay.`;
  return `${goes}${stays} It cannot be brought back.`;
}
