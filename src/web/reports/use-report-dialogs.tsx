import { type ReactNode, useState } from "react";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { lazyPart } from "../kit/lazy-part.tsx";
import { LazyPopup } from "../kit/lazy-popup.tsx";
import type { OpenedDialog } from "./opened-dialog.ts";

// The editor and the pickers are larger than the queue, so they load on demand.
const OpenReportDialog = lazyPart(async () => (await import("./open-report-dialog.tsx")).OpenReportDialog);

export type ReportDialogs = {
  /** `continued`: with the fields that were chosen beside the queue. */
  promote: (reports: readonly Report[], how?: { continued: boolean }) => void;
  dismiss: (reports: readonly Report[]) => void;
  markDuplicate: (reports: readonly Report[]) => void;
  remove: (report: Report) => void;
  showStatusLink: (report: Report) => void;
  eraseAuthor: (report: Report) => void;
  element: ReactNode;
};

/** The three ways a report leaves the queue, and what concerns its author. `onDone` is called with the ids of reports that have left. */
export function useReportDialogs(
  project: Project,
  onDone: (ids: readonly number[], how: OpenedDialog["kind"]) => void,
): ReportDialogs {
  const [open, setOpen] = useState<OpenedDialog | null>(null);
  const close = () => setOpen(null);
  return {
    promote: (reports, how) => setOpen({ kind: "promote", reports, ...how }),
    dismiss: (reports) => setOpen({ kind: "dismiss", reports }),
    markDuplicate: (reports) => setOpen({ kind: "duplicate", reports }),
    remove: (report) => setOpen({ kind: "delete", report }),
    showStatusLink: (report) => setOpen({ kind: "status-link", report }),
    eraseAuthor: (report) => setOpen({ kind: "erase-author", report }),
    element: open && (
      <LazyPopup open onCancel={close}>
        <OpenReportDialog project={project} dialog={open} onClose={close} onDone={onDone} />
      </LazyPopup>
    ),
  };
}
