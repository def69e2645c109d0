import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { ErrorGroup, ErrorGroupListItem } from "../../shared/error-groups.ts";
import type { IssueTemplate } from "../../shared/issue-templates.ts";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { api, ApiError } from "../api/client.ts";
import { issueTemplatesQuery } from "../data/issue-templates.ts";
import { patchEverywhere } from "../data/patch-everywhere.ts";
import { pendingDismissals, withDismissal } from "../data/pending-dismissals.ts";
import { can } from "../data/projects.ts";
import { reportsOfErrorQuery } from "../data/reports.ts";
import { showFailure } from "../forms/show-failure.ts";
import { lazyPart } from "../kit/lazy-part.tsx";
import { LazyPopup } from "../kit/lazy-popup.tsx";
import { toast } from "../kit/toast.ts";
import type { Promotion } from "./promote-error-dialog.tsx";

const PromoteErrorDialog = lazyPart(
  async () => (await import("./promote-error-dialog.tsx")).PromoteErrorDialog,
);

type Promoted = Pick<ErrorGroupListItem, "id" | "project_id" | "exception_class">;

/**
 * Promotes an error to an issue of type bug, after asking about the project's templates and the open reports that came with
 * it, if there are any. Not optimistic, because the issue has no key until the server responds. Render the dialog.
 */
export function usePromote(projectOf: (group: Promoted) => Project | undefined): {
  promote: (group: Promoted) => void;
  isPending: boolean;
  dialog: ReactNode;
} {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<{ group: Promoted } & Offered>();
  const close = () => setAsked(undefined);
  const fail = (error: Error, { exception_class }: Promoted) => {
    close();
    showFailure(`${exception_class} could not be promoted`, error);
  };
  const create = useMutation({
    mutationFn: ({ group: { id, project_id }, reportIds, templateId }: { group: Promoted } & Promotion) =>
      api.post<ErrorGroup>(`/api/projects/${project_id}/error-groups/${id}/promote`, {
        ...(reportIds.length > 0 && { report_ids: reportIds }),
        ...(templateId !== null && { template_id: templateId }),
      }),
    onSuccess: (group, { reportIds }) => {
      close();
      client.setQueryData(["error_group", group.project_id, "one", group.id], group);
      const { linked_issue_id: issueId, project_id } = group;
      patchEverywhere(client, "error_group", group.id, { linked_issue_id: issueId });
      void client.invalidateQueries({ queryKey: ["issue"] });
      if (reportIds.length > 0) void client.invalidateQueries({ queryKey: ["report", project_id] });
      if (issueId !== null)
        toast({
          title: `Issue created from ${[group.exception_class, ...countText(reportIds.length)].join(" and ")}`,
          tone: "success",
          action: {
            label: "Open issue",
            onSelect: () =>
              void navigate({
                to: "/projects/$projectKey/issues/$issueKey",
                params: {
                  projectKey: projectOf(group)?.key ?? String(project_id),
                  issueKey: String(issueId),
                },
              }),
          },
        });
    },
    onError: (error, { group }) => {
      const { project_id } = group;
      // Someone else may have promoted or dismissed a report, or deleted the template; the dialog says which.
      void client.invalidateQueries({ queryKey: ["report", project_id] });
      void client.invalidateQueries({ queryKey: issueTemplatesQuery(project_id).queryKey });
      if (isAboutFields(error)) return;
      fail(error, group);
      // If the group is already linked, reload it to show its issue.
      void client.invalidateQueries({ queryKey: ["error_group"] });
    },
  });
  const ask = useMutation({
    mutationFn: (group: Promoted) => readOffered(client, projectOf(group), group.id),
    onSuccess: (offered, group) => {
      if (offered.reports.length + offered.templates.length === 0)
        return create.mutate({ group, reportIds: [], templateId: null });
      create.reset();
      setAsked({ group, ...offered });
    },
    onError: fail,
  });
  const dialog = asked && (
    <LazyPopup open onCancel={close}>
      <PromoteErrorDialog
        what={asked.group.exception_class}
        reports={asked.reports}
        templates={asked.templates}
        isPending={create.isPending}
        reportErrorOf={(id) => reportErrorOf(create.error, create.variables?.reportIds.indexOf(id))}
        templateError={create.error instanceof ApiError ? create.error.of("template_id") : undefined}
        onPromote={(promotion) => create.mutate({ group: asked.group, ...promotion })}
        onClose={close}
      />
    </LazyPopup>
  );
  return { promote: (group) => ask.mutate(group), isPending: ask.isPending || create.isPending, dialog };
}

/** What the dialog asks about. */
type Offered = { reports: Report[]; templates: IssueTemplate[] };

async function readOffered(
  client: QueryClient,
  project: Project | undefined,
  groupId: number,
): Promise<Offered> {
  const readsIssues = project !== undefined && can(project, "issues:read");
  const [reports, templates] = await Promise.all([
    openReports(client, project, groupId),
    readsIssues ? client.fetchQuery(issueTemplatesQuery(project.id)) : [],
  ]);
  return { reports, templates };
}

/** The reports that can be promoted together with the error; none without the permissions. */
async function openReports(
  client: QueryClient,
  project: Project | undefined,
  groupId: number,
): Promise<Report[]> {
  if (!project?.features.reports || !can(project, "reports:read") || !can(project, "reports:update"))
    return [];
  const reports = await client.fetchQuery(reportsOfErrorQuery(project.id, groupId));
  return reports
    .map((report) => withDismissal(report, pendingDismissals.get()))
    .filter(({ promoted_at, dismissed_at }) => promoted_at === null && dismissed_at === null);
}

const countText = (reports: number): string[] =>
  reports === 0 ? [] : [reports === 1 ? "1 report" : `${reports} reports`];

/** Whether the dialog shows the error. */
const isAboutFields = (error: Error) =>
  error instanceof ApiError &&
  Object.keys(error.errors).some((field) => /^(?:report_ids|template_id)/.test(field));

const reportErrorOf = (error: Error | null, index = -1) =>
  error instanceof ApiError && index >= 0 ? error.of(`report_ids.${index}`) : undefined;
