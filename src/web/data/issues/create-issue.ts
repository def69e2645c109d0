import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { Issue, issueBody } from "../../../shared/issues.ts";
import { api } from "../../api/client.ts";
import { profileQuery } from "../account/session.ts";
import { putIssue } from "./put-issue.ts";

export type NewIssue = z.input<typeof issueBody>;

/** Not optimistic, because the issue has no key before the server answers. Issues are created in the order of the calls. */
export function useCreateIssue(projectId: number) {
  const client = useQueryClient();
  return useMutation({
    scope: { id: `new issue ${projectId}` },
    mutationFn: (body: NewIssue) => api.post<Issue>(`/api/projects/${projectId}/issues`, body),
    onSuccess: (issue) => {
      putIssue(client, issue, client.getQueryData(profileQuery.queryKey)?.id);
      void client.invalidateQueries({ queryKey: ["issue"], refetchType: "none" });
      // The parent counts its sub-issues.
      if (issue.parent_id !== null) void client.invalidateQueries({ queryKey: ["issue", projectId, "one"] });
      if (issue.epic_id !== null) void client.invalidateQueries({ queryKey: ["epic", projectId] });
    },
  });
}
