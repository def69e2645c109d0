import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { useDeleteReport } from "../data/reports/reports.ts";
import { eraseAuthor } from "../data/reports/status-link.ts";
import { useSend } from "../forms/use-send.ts";
import { lazyPart } from "../kit/lazy-part.tsx";
import type { OpenedDialog } from "./opened-dialog.ts";

const PromoteDialog = lazyPart(async () => (await import("../promotion/promote-dialog.tsx")).PromoteDialog);
const StatusLinkDialog = lazyPart(async () => (await import("./status-link-dialog.tsx")).StatusLinkDialog);
const DismissDialog = lazyPart(async () => (await import("./dismiss-dialog.tsx")).DismissDialog);
const DuplicateDialog = lazyPart(async () => (await import("./duplicate-dialog.tsx")).DuplicateDialog);

type Props = {
  project: Project;
  dialog: OpenedDialog;
  onClose: () => void;
  onDone: (ids: readonly number[], how: OpenedDialog["kind"]) => void;
};

/** The dialog that promotes, dismisses or deletes reports, or is about the author of one. */
export function OpenReportDialog({ project, dialog, onClose, onDone }: Props) {
  const remove = useDeleteReport(project.id);
  const finish = (reports: readonly Report[]) => {
    onClose();
    onDone(
      reports.map(({ id }) => id),
      dialog.kind,
    );
  };
  switch (dialog.kind) {
    case "status-link":
      return <StatusLinkDialog report={dialog.report} onClose={onClose} />;
    case "erase-author":
      return <EraseAuthor report={dialog.report} onClose={onClose} />;
    case "promote":
      return (
        <PromoteDialog
          project={project}
          reports={dialog.reports}
          continued={dialog.continued}
          onClose={onClose}
          onPromoted={finish}
        />
      );
    case "dismiss":
    case "duplicate": {
      const { kind, reports } = dialog;
      const Dismiss = kind === "dismiss" ? DismissDialog : DuplicateDialog;
      return <Dismiss {...{ project, reports, onClose }} onDismissed={() => finish(reports)} />;
    }
    case "delete":
      return (
        <ConfirmDialog
          open
          onClose={onClose}
          title={`Delete report #${dialog.report.id}?`}
          confirm="Delete report"
          done={`Report #${dialog.report.id} deleted`}
          onConfirm={async () => {
            await remove.mutateAsync(dialog.report);
            onDone([dialog.report.id], "delete");
          }}
        >
          <p className="font-medium text-text">{dialog.report.title}</p>
          <p>{consequence(dialog.report)}</p>
        </ConfirmDialog>
      );
  }
}

function EraseAuthor({ report, onClose }: { report: Report; onClose: () => void }) {
  const { id, project_id: projectId } = report;
  const erase = useSend({ send: () => eraseAuthor(projectId, id), stale: [["report", projectId]] });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Erase the author of report #${id}?`}
      confirm="Erase author"
      done="The author’s data was erased"
      onConfirm={() => erase.mutateAsync()}
    >
      Name, address and email subscriptions are deleted. The text of the report stays. This can’t be undone.
    </ConfirmDialog>
  );
}

function consequence({ attachments_count, promoted_issue_id }: Report): string {
  const files =
    attachments_count === 0
      ? ""
      : attachments_count === 1
        ? "Its file will also be deleted. "
        : `Its ${attachments_count} files will also be deleted. `;
  const issue = promoted_issue_id === null ? "" : "Its issue will be kept. ";
  return `${files}${issue}This can’t be undone.`;
}
