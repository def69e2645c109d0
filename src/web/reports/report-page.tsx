import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { EllipsisVertical } from "lucide-react";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { NothingHere } from "../page/not-found.tsx";
import { ProjectCrumb } from "../page/project-crumb.tsx";
import { QueryError } from "../page/query-error.tsx";
import { useCommand } from "../keys/commands.ts";
import { can, useProject } from "../data/projects/projects.ts";
import { useProfile } from "../data/account/session.ts";
import { FeatureOff } from "../kit/feature-off.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { Menu } from "../kit/menu.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { DecisionButtons } from "./decision-buttons.tsx";
import { useReport } from "../data/reports/reports.ts";
import { menuOf, actionsOf } from "./report-menu.ts";
import { ReportView } from "./report-view.tsx";
import { useRestore } from "./use-restore.ts";
import { useReportDialogs } from "./use-report-dialogs.tsx";

export function ReportPage() {
  const project = useProject();
  const refusal = !project.features.reports ? (
    <FeatureOff message="Reports are turned off in this workspace. An administrator can turn them on. Existing data is kept." />
  ) : (
    !can(project, "reports:read") && (
      <NothingHere message="You need permission to read reports in this project." />
    )
  );
  if (!refusal) return <ReportOnPage project={project} />;
  return (
    <>
      <PageHeader title="Report" />
      {refusal}
    </>
  );
}

/** A report on its own page, which emails link to. */
function ReportOnPage({ project }: { project: Project }) {
  const { reportId = "" } = useParams({ strict: false });
  const me = useProfile().id;
  const navigate = useNavigate();
  const { data: report, error, refetch } = useReport(project.id, reportId);
  const actions = actionsOf(project, me, report);
  const dialogs = useReportDialogs(project, (_ids, how) => {
    if (how === "delete")
      void navigate({
        to: "/projects/$projectKey/triage",
        params: { projectKey: project.key },
        replace: true,
      });
  });
  const restore = useRestore(() => {});
  useReportCommands({ reportId, report, actions, dialogs, restore });

  const crumbs = [
    <ProjectCrumb key="project" project={project} />,
    <Link key="triage" to="/projects/$projectKey/triage" params={{ projectKey: project.key }}>
      Triage
    </Link>,
  ];
  if (report === undefined)
    return (
      <>
        <PageHeader title="Report" crumbs={crumbs} />
        {error ? (
          <QueryError error={error} retry={() => void refetch()} />
        ) : (
          <Skeleton rows={4} label="Loading the report" />
        )}
      </>
    );
  return (
    <>
      <ReportView
        project={project}
        report={report}
        level={1}
        head={
          <PageHeader
            title={`#${report.id}`}
            titled
            sticky
            scrolledTitle={report.title}
            crumbs={crumbs}
            actions={
              <Actions
                project={project}
                report={report}
                actions={actions}
                dialogs={dialogs}
                restore={restore}
              />
            }
          />
        }
      />
      {dialogs.element}
    </>
  );
}

type ActionsProps = Omit<CommandsOptions, "reportId"> & { project: Project; report: Report };

function Actions({ project, report, actions, dialogs, restore }: ActionsProps) {
  return (
    <>
      <DecisionButtons
        report={report}
        actions={actions}
        dialogs={dialogs}
        onPromote={() => dialogs.promote([report])}
        onRestore={() => restore(report)}
      />
      <Menu
        label={`Actions for #${report.id}`}
        align="end"
        items={menuOf({ project, report, actions, dialogs, restore, move: undefined })}
        trigger={<IconButton label={`Actions for #${report.id}`} icon={EllipsisVertical} />}
      />
    </>
  );
}

type CommandsOptions = {
  /** As in the address. */
  reportId: string;
  report: Report | undefined;
  actions: ReturnType<typeof actionsOf>;
  dialogs: ReturnType<typeof useReportDialogs>;
  restore: (report: Report) => void;
};

function useReportCommands({ reportId, report, actions, dialogs, restore }: CommandsOptions) {
  useCommand("resolve", () => report && dialogs.promote([report]), {
    enabled: actions.decide,
    label: `Promote report #${reportId}`,
  });
  useCommand("dismiss", () => report && dialogs.dismiss([report]), {
    enabled: actions.decide,
    label: `Dismiss report #${reportId}`,
  });
  useCommand("duplicate", () => report && dialogs.markDuplicate([report]), {
    enabled: actions.decide,
    label: `Mark report #${reportId} as a duplicate`,
  });
  useCommand("reopen", () => report && restore(report), {
    enabled: actions.restore !== undefined,
    label:
      actions.restore === "Restore"
        ? `Restore report #${reportId}`
        : `Return report #${reportId} to the queue`,
  });
  useCommand("remove", () => report && dialogs.remove(report), {
    enabled: actions.remove,
    label: `Delete report #${reportId}`,
  });
}
