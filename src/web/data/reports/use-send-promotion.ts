import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Project } from "../../../shared/projects.ts";
import { addToIssue, promoteToNewIssue, type Promotion } from "./promote.ts";
import { beginChange } from "../../kit/notices/toast.ts";
import type { Promoted } from "./promoted.ts";
import { useShowPromoted } from "./use-show-promoted.ts";

/** Sends a promotion and says what became of it. Not optimistic, because the issue has no key before the server responds. */
export function useSendPromotion(project: Project) {
  const projectId = project.id;
  const showPromoted = useShowPromoted();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (promotion: Promotion): Promise<Promoted> =>
      "issueId" in promotion.to
        ? addToIssue(client, projectId, { ...promotion, issueId: promotion.to.issueId })
        : promoteToNewIssue(client, projectId, { ...promotion, fields: promotion.to.fields }),
    onMutate: () => beginChange(),
    onSuccess: (promoted, { group, reportIds, errorIds }, change) => {
      showPromoted(project, promoted, change);
      void client.invalidateQueries({ queryKey: ["issue"] });
      if (group !== undefined || errorIds.length > 0)
        void client.invalidateQueries({ queryKey: ["error_group"] });
      if (group !== undefined && reportIds.length > 0)
        void client.invalidateQueries({ queryKey: ["report", projectId] });
    },
    onError: (_error, { group }, change) => {
      change?.failed();
      // Someone else may have promoted or dismissed one of them, or linked the error.
      void client.invalidateQueries({ queryKey: ["report", projectId] });
      void client.invalidateQueries({ queryKey: ["issue_template", projectId] });
      if (group !== undefined) void client.invalidateQueries({ queryKey: ["error_group"] });
    },
  });
}
