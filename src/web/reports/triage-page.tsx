import { Suspense, useState } from "react";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { QueryError } from "../page/query-error.tsx";
import { useCommand } from "../keys/commands.ts";
import { can, useProject } from "../data/projects.ts";
import { useProfile } from "../data/session.ts";
import { FeatureOff } from "../kit/feature-off.tsx";
import { NoAccess } from "../kit/no-access.tsx";
import { lazyPart } from "../kit/lazy-part.tsx";
import { LazyPopup } from "../kit/lazy-popup.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { SplitView } from "../lists/split-view.tsx";
import { isActive } from "./report-views.ts";
import { NothingOpen } from "./nothing-open.tsx";
import { TriageEmpty } from "./triage-empty.tsx";
import { TriageHeader } from "./triage-header.tsx";
import { TriageList } from "./triage-list.tsx";
import { useReportDialogs } from "./use-report-dialogs.tsx";
import { useTriage } from "./use-triage.ts";
import { menuOf, verbsOf } from "./report-menu.ts";

const PositionDialog = lazyPart(async () => (await import("./position-dialog.tsx")).PositionDialog);
const TriagePreview = lazyPart(async () => (await import("./triage-preview.tsx")).TriagePreview);

export function TriagePage() {
  const project = useProject();
  const refusal = !project.features.reports ? (
    <FeatureOff />
  ) : (
    !can(project, "reports:read") && (
      <NoAccess message="You need the permission to read reports in this project." />
    )
  );
  if (!refusal) return <Triage project={project} />;
  return (
    <>
      <PageHeader title="Triage" />
      {refusal}
    </>
  );
}

/** The queue of reports, and beside it the one that is open. */
function Triage({ project }: { project: Project }) {
  const me = useProfile().id;
  const triage = useTriage(project);
  const dialogs = useReportDialogs(project, triage.leave);
  const [placing, setPlacing] = useState<Report | null>(null);
  const { active, shown, selection, queue, view, openReport } = triage;
  const mayUpdate = can(project, "reports:update");
  const atHand = openReport ?? active;
  const verbs = verbsOf(project, me, atHand);
  const targets = selection.length > 0 ? selection : verbs.deal && atHand ? [atHand] : [];
  const words = atHand === undefined ? "" : ` #${atHand.id}`;
  const movable = mayUpdate && view === "active" && active !== undefined;

  useCommand("next", () => triage.step(1), { enabled: shown.length > 0 });
  useCommand("previous", () => triage.step(-1), { enabled: shown.length > 0 });
  useCommand("open", () => triage.show(active?.id), { enabled: active !== undefined });
  useCommand("peek", () => (openReport === undefined ? triage.show(active?.id) : triage.close()), {
    enabled: active !== undefined,
  });
  useCommand("close", () => (selection.length > 0 ? triage.untick() : triage.close()), {
    enabled: selection.length > 0 || triage.opened !== undefined,
  });
  useCommand("select", () => active && triage.tick(active.id), { enabled: movable });
  useCommand("moveUp", () => active && triage.moveBy(active.id, -1), {
    enabled: movable && triage.activeIndex > 0,
  });
  useCommand("moveDown", () => active && triage.moveBy(active.id, 1), {
    enabled: movable && triage.activeIndex < shown.length - 1,
  });
  useCommand("deal", () => dialogs.promote(targets), {
    enabled: mayUpdate && targets.length > 0,
    label:
      targets.length > 1
        ? `Promote ${targets.length} reports as one issue`
        : `Promote report${targets[0] === undefined ? "" : ` #${targets[0].id}`}`,
  });
  useCommand("hide", () => atHand && dialogs.dismiss(atHand), {
    enabled: verbs.deal,
    label: `Dismiss report${words}`,
  });
  useCommand("remove", () => atHand && dialogs.remove(atHand), {
    enabled: verbs.remove,
    label: `Delete report${words}`,
  });

  const menu = (report: Report) =>
    menuOf({
      project,
      report,
      verbs: verbsOf(project, me, report),
      dialogs,
      place:
        mayUpdate && view === "active" && isActive(report)
          ? { triage, onChoose: () => setPlacing(report) }
          : undefined,
    });

  const list =
    triage.reports.data === undefined ? (
      triage.reports.isError ? (
        <QueryError error={triage.reports.error} retry={() => void triage.reports.refetch()} />
      ) : (
        <Skeleton rows={8} height={64} label="Loading the reports" />
      )
    ) : shown.length === 0 ? (
      <TriageEmpty project={project} triage={triage} />
    ) : (
      <TriageList
        project={project}
        triage={triage}
        menu={menu}
        mayUpdate={mayUpdate}
        onPromote={() => dialogs.promote(selection)}
      />
    );
  return (
    <div className="flex h-[calc(100dvh-3rem)] min-h-96 min-w-0 flex-col md:h-dvh">
      <TriageHeader project={project} triage={triage} />
      <SplitView
        label="Report"
        opened={openReport?.id}
        list={list}
        preview={
          triage.opened === undefined || triage.reports.data === undefined ? null : (
            <Suspense fallback={<Skeleton rows={3} height={64} />}>
              <TriagePreview
                project={project}
                report={openReport}
                menu={openReport ? menu(openReport) : []}
                verbs={verbs}
                dialogs={dialogs}
                onClose={triage.close}
              />
            </Suspense>
          )
        }
        empty={shown.length > 0 && <NothingOpen />}
      />
      {dialogs.element}
      {placing && (
        <LazyPopup open onCancel={() => setPlacing(null)}>
          <PositionDialog
            report={placing}
            position={queue.findIndex(({ id }) => id === placing.id) + 1}
            count={queue.length}
            onClose={() => setPlacing(null)}
            onMove={(position) => {
              setPlacing(null);
              triage.moveQueued(placing.id, position - 1);
            }}
          />
        </LazyPopup>
      )}
    </div>
  );
}
