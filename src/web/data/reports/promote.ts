import type { QueryClient } from "@tanstack/react-query";
import type { z } from "zod";
import type { promoteGroupBody } from "../../../shared/error-group-work.ts";
import type { ErrorGroup } from "../../../shared/error-groups.ts";
import type { Issue } from "../../../shared/issues.ts";
import type { Report } from "../../../shared/reports.ts";
import { api } from "../../api/client.ts";
import { showFailure } from "../../forms/show-failure.ts";
import { patchEverywhere } from "../cache/patch-everywhere.ts";
import type { Promoted } from "./promoted.ts";
import { putReports, reportsPath } from "./reports.ts";

/** Without title or description, the server describes the error. */
export type NewIssueFields = Omit<z.input<typeof promoteGroupBody>, "report_ids" | "template_id">;

/** What is promoted, and to which issue. */
export type Promotion = Omit<Promoted, "issueId" | "isNew"> & {
  to: { issueId: number } | { fields: NewIssueFields };
};

const groupPath = (projectId: number, id: number) => `/api/projects/${projectId}/error-groups/${id}`;

export async function promoteToNewIssue(
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

export async function addToIssue(
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

/** Not a query: the preview reads the same issue until the next report opens, and then cancels that query. */
export const readPromoted = (projectId: number, issueId: number) =>
  api.get<Issue>(`/api/projects/${projectId}/issues/${issueId}`).catch(() => undefined);
