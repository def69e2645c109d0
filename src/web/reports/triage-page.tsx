import { type ComponentProps, Suspense, useEffect, useState } from "react";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { NothingHere } from "../page/not-found.tsx";
import { QueryError } from "../page/query-error.tsx";
import { useCommand } from "../keys/commands.ts";
import { can, useProject } from "../data/projects/projects.ts";
import { useProfile } from "../data/account/session.ts";
import { FeatureOff } from "../kit/feature-off.tsx";
import { deferredPart, lazyPart } from "../kit/lazy-part.tsx";
import { LazyPopup } from "../kit/lazy-popup.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { SplitView } from "../lists/split-view.tsx";
import { useListKeys } from "../lists/use-list-keys.ts";
import { isActive } from "./report-views.ts";
import { NoReportOpen } from "./no-report-open.tsx";
import { TriageHeader } from "./triage-header.tsx";
import { TriageList } from "./triage-list.tsx";
import { useDeciding } from "./use-deciding.ts";
import { useReportDialogs } from "./use-report-dialogs.tsx";
import { useRestore } from "./use-restore.ts";
import { type Triage, useTriage } from "./use-triage.ts";
import { menuOf, actionsOf } from "./report-menu.ts";

const EmptyTriage = deferredPart(async () => (await import("./empty-triage.tsx")).EmptyTriage);
const PositionDialog = lazyPart(async () => (await import("./position-dialog.tsx")).PositionDialog);
const TriagePreview = deferredPart(async () => (await import("./triage-preview.tsx")).TriagePreview);

export function TriagePage() {
  const project = useProject();
  const refusal = !project.features.reports ? (
    <FeatureOff message="Reports are turned off in this workspace. An administrator can turn them on. Existing data is kept." />
  ) : (
    !can(project, "reports:read") && (
      <NothingHere message="You need permission to read reports in this project." />
    )
  );
  if (!refusal) return <TriageQueue project={project} />;
  return (
    <>
      <PageHeader title="Triage" />
      {refusal}
    </>
  );
}

/** The queue of reports, and beside it the open report. */
function TriageQueue({ project }: { project: Project }) {
  const me = useProfile().id;
  const triage = useTriage(project);
  const { list, shown, selected, view, openReport } = triage;
  const advancePast = (ids: readonly number[]) => list.advancePast(ids);
  const dialogs = useReportDialogs(project, advancePast);
  const deciding = useDeciding({
    active: openReport !== undefined && isActive(openReport) ? openReport.id : null,
    onPromoted: advancePast,
    openDialog: (report) => dialogs.promote([report], { continued: true }),
  });
  const restore = useRestore(advancePast);
  const [placing, setPlacing] = useState<Report | null>(null);
  const mayUpdate = can(project, "reports:update");
  // It takes the focus when the last report leaves the list.
  useEffect(() => void EmptyTriage.preload().catch(() => {}), []);
  const target = openReport ?? list.current;
  const actions = actionsOf(project, me, target);
  /** The pane must not decide on one report while the keys and the bar decide on others. */
  const isDecidedInBar = selected.some(({ id }) => id !== openReport?.id);
  const targets = selected.length > 0 ? selected : actions.decide && target ? [target] : [];
  const isSelectable = mayUpdate && view === "active";
  const isMovable = mayUpdate && triage.isOrderable && list.current !== undefined;
  useListKeys(list, { noun: "report", onOpen: ({ id }) => list.open(id), maySelect: () => isSelectable });
  useTriageCommands({ triage, dialogs, deciding, restore, actions, target, targets, mayUpdate, isMovable });

  const menu = (report: Report, isUndecidable = false) => {
    const may = actionsOf(project, me, report);
    const mayMove = mayUpdate && triage.isOrderable && isActive(report);
    return menuOf({
      project,
      report,
      dialogs,
      restore,
      actions: isUndecidable ? { ...may, decide: false } : may,
      move: mayMove ? { triage, onChoose: () => setPlacing(report) } : undefined,
    });
  };

  return (
    <div className="flex h-[calc(100dvh-48px-var(--messages,0px))] min-h-96 min-w-0 flex-col md:h-[calc(100dvh-var(--messages,0px))] short:h-auto">
      <TriageHeader project={project} triage={triage} />
      <SplitView
        label="Report"
        opened={openReport?.id}
        list={
          <div className="@container flex min-h-0 min-w-0 flex-1 flex-col">
            <Queue project={project} triage={triage} menu={menu} mayUpdate={mayUpdate} dialogs={dialogs} />
          </div>
        }
        preview={
          triage.opened === null || triage.reports.data === undefined ? null : (
            <Suspense fallback={<Skeleton rows={3} lines={2} />}>
              <TriagePreview
                project={project}
                report={openReport}
                menu={openReport ? menu(openReport, isDecidedInBar) : []}
                actions={isDecidedInBar ? { ...actions, decide: false } : actions}
                dialogs={dialogs}
                deciding={deciding}
                onRestore={() => openReport && restore(openReport)}
                onClose={list.close}
              />
            </Suspense>
          )
        }
        empty={shown.length > 0 ? <NoReportOpen /> : undefined}
      />
      {dialogs.element}
      {placing && <Placing report={placing} triage={triage} onClose={() => setPlacing(null)} />}
    </div>
  );
}

/** The list of reports, or what takes its place. */
function Queue(props: ComponentProps<typeof TriageList>) {
  const { project, triage } = props;
  const { data, isError, error, refetch } = triage.reports;
  if (data === undefined)
    return isError ? (
      <QueryError error={error} retry={() => void refetch()} />
    ) : (
      <Skeleton rows={8} lines={2} label="Loading the reports" />
    );
  if (triage.shown.length > 0) return <TriageList {...props} />;
  return (
    <Suspense fallback={null}>
      <EmptyTriage project={project} triage={triage} />
    </Suspense>
  );
}

type Commands = {
  triage: Triage;
  dialogs: ReturnType<typeof useReportDialogs>;
  deciding: ReturnType<typeof useDeciding>;
  restore: (report: Report) => void;
  actions: ReturnType<typeof actionsOf>;
  /** The open report, or the one at the cursor. */
  target: Report | undefined;
  /** The ticked reports, or the target if it can be decided on. */
  targets: readonly Report[];
  mayUpdate: boolean;
  isMovable: boolean;
};

/** The keys that move, decide on, restore and delete reports. */
function useTriageCommands(commands: Commands) {
  const { triage, dialogs, deciding, restore, actions, target, targets, mayUpdate, isMovable } = commands;
  const { list, shown, selected, openReport } = triage;
  const number = target === undefined ? "" : ` #${target.id}`;
  const named = targets.length > 1 ? `${targets.length} reports` : `report #${targets[0]?.id ?? ""}`;
  const index = list.current === undefined ? -1 : shown.indexOf(list.current);
  useCommand("moveUp", () => list.current && triage.moveBy(list.current.id, -1), {
    enabled: isMovable && index > 0,
  });
  useCommand("moveDown", () => list.current && triage.moveBy(list.current.id, 1), {
    enabled: isMovable && index < shown.length - 1,
  });
  /** The fields beside the queue belong to the open report. Ticked reports are promoted by the dialog. */
  const promote = () =>
    selected.length === 0 && openReport !== undefined
      ? deciding.ask(openReport.id)
      : dialogs.promote(targets);
  useCommand("resolve", promote, {
    enabled: mayUpdate && targets.length > 0,
    label: `Promote ${named}${targets.length > 1 ? " as one issue" : ""}`,
  });
  useCommand("dismiss", () => dialogs.dismiss(targets), {
    enabled: mayUpdate && targets.length > 0,
    label: `Dismiss ${named}`,
  });
  useCommand("duplicate", () => dialogs.markDuplicate(targets), {
    enabled: mayUpdate && targets.length > 0,
    label: `Mark ${named} as ${targets.length > 1 ? "duplicates" : "a duplicate"}`,
  });
  useCommand("reopen", () => target && restore(target), {
    enabled: actions.restore !== undefined,
    label: actions.restore === "Restore" ? `Restore report${number}` : `Return report${number} to the queue`,
  });
  useCommand("remove", () => target && dialogs.remove(target), {
    enabled: actions.remove,
    label: `Delete report${number}`,
  });
}

type PlacingProps = { report: Report; triage: Triage; onClose: () => void };

/** Asks for the position in the queue. */
function Placing({ report, triage, onClose }: PlacingProps) {
  return (
    <LazyPopup open onCancel={onClose}>
      <PositionDialog
        report={report}
        position={triage.queue.findIndex(({ id }) => id === report.id) + 1}
        count={triage.queue.length}
        onClose={onClose}
        onMove={(position) => {
          onClose();
          triage.moveQueued(report.id, position - 1);
        }}
      />
    </LazyPopup>
  );
}
