import { Link } from "@tanstack/react-router";
import { EllipsisVertical, FileQuestionMark, X } from "lucide-react";
import { Suspense } from "react";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { EmptyState } from "../kit/empty-state.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { deferredPart } from "../kit/lazy-part.tsx";
import { Menu } from "../kit/menu.tsx";
import type { MenuEntry } from "../kit/menu-entry.ts";
import type { ReportActions } from "./report-menu.ts";
import type { Deciding } from "./use-deciding.ts";
import { ReportView } from "./report-view.tsx";
import { DecisionButtons } from "./decision-buttons.tsx";
import type { ReportDialogs } from "./use-report-dialogs.tsx";

// The pickers are larger than the rest of the report.
const DecisionFields = deferredPart(async () => (await import("./decision-fields.tsx")).DecisionFields);

type Props = {
  project: Project;
  /** Undefined if the address names a report that does not exist. */
  report: Report | undefined;
  menu: readonly MenuEntry[];
  actions: ReportActions;
  dialogs: ReportDialogs;
  deciding: Deciding;
  onRestore: () => void;
  onClose: () => void;
};

/** The open report beside the queue. */
export function TriagePreview(props: Props) {
  const { project, report, menu, actions, dialogs, deciding, onRestore, onClose } = props;
  const close = <IconButton label="Close preview" shortcut="Escape" icon={X} onClick={onClose} />;
  if (report === undefined)
    return (
      <>
        <div className="flex justify-end p-2">{close}</div>
        <EmptyState
          icon={FileQuestionMark}
          title="Report not found"
          text="It may have been deleted, or the link is wrong."
        />
      </>
    );
  return (
    <ReportView
      project={project}
      report={report}
      level={2}
      head={
        <header className="sticky top-0 z-10 border-b border-line bg-surface px-4 py-3">
          <div className="flex flex-wrap items-center gap-2">
            <Link
              to="/projects/$projectKey/reports/$reportId"
              params={{ projectKey: project.key, reportId: String(report.id) }}
              title="Open on its own page"
              className="me-auto rounded-sm py-1 text-text-3 hover:text-text hover:underline"
            >
              Report #{report.id}
            </Link>
            <div className="flex gap-2 empty:hidden max-sm:order-last max-sm:basis-full max-sm:[&>*]:flex-1">
              <DecisionButtons
                report={report}
                actions={actions}
                dialogs={dialogs}
                isPromoting={deciding.asked === report.id}
                onPromote={() => deciding.ask(report.id)}
                onRestore={onRestore}
              />
            </div>
            <Menu
              label={`Actions for #${report.id}`}
              align="end"
              items={menu}
              trigger={<IconButton label={`Actions for #${report.id}`} icon={EllipsisVertical} />}
            />
            {close}
          </div>
          <h2
            id="report-title"
            dir="auto"
            tabIndex={-1}
            className="mt-1 line-clamp-3 text-title font-semibold"
            title={report.title}
          >
            {report.title}
          </h2>
        </header>
      }
      decision={
        actions.decide && (
          <Suspense fallback={<div className="h-41 border-b border-line bg-canvas" />}>
            <DecisionFields
              project={project}
              report={report}
              deciding={deciding}
              onDuplicate={() => dialogs.markDuplicate([report])}
            />
          </Suspense>
        )
      }
    />
  );
}
