import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { promoteGroupBody } from "../../shared/error-group-work.ts";
import type { ErrorGroup } from "../../shared/error-groups.ts";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { api } from "../api/client.ts";
import { patchEverywhere } from "../data/patch-everywhere.ts";
import { putReports, reportsPath } from "../data/reports.ts";
import { showFailure } from "../forms/show-failure.ts";
import { beginChange } from "../kit/toast.ts";
import type { Promoted } from "./promoted.ts";
import { useShowPromoted } from "./use-show-promoted.ts";

/** Without title or description, the server describes the error. */
export type NewIssueFields = Omit<z.input<typeof promoteGroupBody>, "report_ids" | "template_id">;

/** What is promoted, and to which issue. */
type Promotion = Omit<Promoted, "issueId" | "isNew"> & {
  to: { issueId: number } | { fields: NewIssueFields };
};

/** Sends a promotion and says what became of it. Not optimistic, because the issue has no key before the server responds. */
export function useSendPromotion(project: Project) {
  const projectId = project.id;
  const showPromoted = useShowPromoted();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (promotion: Promotion): Promise<Promoted> =>
      "issueId" in promotion.to
        ? addToIssue(client, projectId, { ...promotion, issueId: promotion.to.issueId })
        : createIssue(client, projectId, { ...promotion, fields: promotion.to.fields }),
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

const groupPath = (projectId: number, id: number) => `/api/projects/${projectId}/error-groups/${id}`;

async function createIssue(
  client: QueryClient,
  projectId: number,
  { fields, ...promotion }: Omit<Promotion, "to"> & { fields: NewIssueFields },
): Promise<Promoted> {
  const { group, reportIds, errorIds } = promotion;
  const report_ids = [...reportIds];
  if (group !== undefined) {
    const path = `${groupPath(projectId, group.id)}/promote`;
    const linked = await api.post<ErrorGroup>(path, {
      ...fields,
      ...(report_ids.length > 0 && { report_ids }),
    });
    client.setQueryData(["error_group", projectId, "one", linked.id], linked);
    patchEverywhere(client, "error_group", linked.id, { linked_issue_id: linked.linked_issue_id });
    return { ...promotion, issueId: linked.linked_issue_id, isNew: true };
  }
  const reports = await api.post<Report[]>(`${reportsPath(projectId)}/promote`, {
    ...fields,
    report_ids,
    ...(errorIds.length > 0 && { error_group_ids: [...errorIds] }),
  });
  putReports(client, reports);
  return { ...promotion, issueId: reports[0]?.promoted_issue_id ?? null, isNew: true };
}

async function addToIssue(
  client: QueryClient,
  projectId: number,
  { issueId, ...promotion }: Omit<Promotion, "to"> & { issueId: number },
): Promise<Promoted> {
  const { group, reportIds } = promotion;
  const link = async (id: number) => {
    const { linked_issue_id } = await api.post<ErrorGroup>(`${groupPath(projectId, id)}/link`, {
      issue: issueId,
    });
    patchEverywhere(client, "error_group", id, { linked_issue_id });
  };
  if (reportIds.length > 0)
    putReports(
      client,
      await api.post<Report[]>(`${reportsPath(projectId)}/link`, {
        report_ids: [...reportIds],
        issue: issueId,
      }),
    );
  if (group !== undefined) await link(group.id);
  const errorIds: number[] = [];
  for (const id of promotion.errorIds)
    await link(id).then(
      () => errorIds.push(id),
      (error: unknown) => showFailure("An error could not be linked", error),
    );
  return { ...promotion, errorIds, issueId, isNew: false };
}
