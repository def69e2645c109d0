import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { issueQuery } from "../data/issues.ts";
import { can } from "../data/projects.ts";
import { lazyPart } from "../kit/lazy-part.tsx";
import { LazyPopup } from "../kit/lazy-popup.tsx";
import { toast } from "../kit/toast.ts";
import { useDeleteReport } from "../data/reports.ts";

// The editor and the pickers are larger than the queue, so they load on demand.
const PromoteDialog = lazyPart(async () => (await import("./promote-dialog.tsx")).PromoteDialog);
const ConfirmDialog = lazyPart(async () => (await import("../kit/confirm-dialog.tsx")).ConfirmDialog);
const DismissDialog = lazyPart(async () => (await import("./dismiss-dialog.tsx")).DismissDialog);

type Open =
  | { kind: "promote"; reports: readonly Report[] }
  | { kind: "dismiss"; reports: readonly Report[] }
  | { kind: "delete"; report: Report };

export type ReportDialogs = {
  promote: (reports: readonly Report[]) => void;
  dismiss: (reports: readonly Report[]) => void;
  remove: (report: Report) => void;
  element: ReactNode;
};

/** The three ways a report leaves the queue. `onDone` is called with its ids when the dialog closes. */
export function useReportDialogs(
  project: Project,
  onDone: (ids: readonly number[], how: Open["kind"]) => void,
): ReportDialogs {
  const [open, setOpen] = useState<Open | null>(null);
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useDeleteReport(project.id);
  const close = () => setOpen(null);

  const showIssueToast = async (reports: readonly Report[]) => {
    const issueId = reports[0]?.promoted_issue_id ?? null;
    const title = reports.length === 1 ? "Promoted" : `${reports.length} reports promoted`;
    if (issueId === null || !can(project, "issues:read")) return toast({ title, tone: "success" });
    const issue = await client.fetchQuery(issueQuery(project.id, issueId)).catch(() => undefined);
    const issueKey = issue?.key ?? String(issueId);
    const name = issue?.key ?? "the issue";
    toast({
      title: `${title} to ${name}`,
      tone: "success",
      action: {
        label: `Open ${name}`,
        onSelect: () =>
          void navigate({
            to: "/projects/$projectKey/issues/$issueKey",
            params: { projectKey: project.key, issueKey },
          }),
      },
    });
  };

  const element = open && (
    <LazyPopup open onCancel={close}>
      {open.kind === "promote" && (
        <PromoteDialog
          projectId={project.id}
          reports={open.reports}
          onClose={close}
          onPromoted={(reports) => {
            close();
            void showIssueToast(reports);
            onDone(
              reports.map(({ id }) => id),
              "promote",
            );
          }}
        />
      )}
      {open.kind === "dismiss" && (
        <DismissDialog
          reports={open.reports}
          onClose={close}
          onDismissed={() => {
            close();
            onDone(
              open.reports.map(({ id }) => id),
              "dismiss",
            );
          }}
        />
      )}
      {open.kind === "delete" && (
        <ConfirmDialog
          open
          onClose={close}
          title={`Delete report #${open.report.id}?`}
          confirm="Delete report"
          onConfirm={async () => {
            await remove.mutateAsync(open.report);
            onDone([open.report.id], "delete");
          }}
        >
          <p className="font-medium text-text">{open.report.title}</p>
          <p>{consequence(open.report)}</p>
        </ConfirmDialog>
      )}
    </LazyPopup>
  );
  return {
    promote: (reports) => setOpen({ kind: "promote", reports }),
    dismiss: (reports) => setOpen({ kind: "dismiss", reports }),
    remove: (report) => setOpen({ kind: "delete", report }),
    element,
  };
}

function consequence({ attachments_count, promoted_issue_id }: Report): string {
  const files =
    attachments_count === 0
      ? ""
      : attachments_count === 1
        ? "Its file will also be deleted. "
        : `Its ${attachments_count} files will also be deleted. `;
  const issue = promoted_issue_id === null ? "" : "Its issue will be kept. ";
  return `${files}${issue}This cannot be undone.`;
}
