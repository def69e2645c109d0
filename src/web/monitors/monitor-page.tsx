import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import type { Monitor } from "../../shared/monitors.ts";
import type { Project } from "../../shared/projects.ts";
import { monitorQuery } from "../data/monitors/monitors.ts";
import { can, useProject } from "../data/projects/projects.ts";
import { Panel } from "../forms/panel.tsx";
import { Time } from "../kit/dates/time.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { ProjectCrumb } from "../page/project-crumb.tsx";
import { QueryError } from "../page/query-error.tsx";
import { CheckIns } from "./check-ins.tsx";
import { Environments } from "./environments.tsx";
import { MonitorActions } from "./monitor-actions.tsx";
import { MONITOR_LOOKS, statusOf } from "./monitor-status.ts";
import { scheduleText } from "./schedule-text.ts";
import { Snippets } from "./snippet-tabs.tsx";
import { StatusBadge } from "./status-badge.tsx";

/** A monitor: its state in each environment, its runs, and how a job checks in. */
export function MonitorPage() {
  const project = useProject();
  const { slug = "" } = useParams({ strict: false });
  const { data: monitor, error, refetch } = useQuery(monitorQuery(project.id, slug));
  const isGone = error !== null && "status" in error && error.status === 404;
  if (monitor && !isGone) return <LoadedMonitor key={slug} project={project} monitor={monitor} />;
  return (
    <>
      <PageHeader title={slug} crumbs={crumbsOf(project)} />
      {error ? (
        <QueryError error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton rows={8} label="Loading the monitor" />
      )}
    </>
  );
}

const crumbsOf = (project: Project) => [
  <ProjectCrumb key="project" project={project} />,
  <Link key="monitors" to="/projects/$projectKey/monitors" params={{ projectKey: project.key }}>
    Monitors
  </Link>,
];

function LoadedMonitor({ project, monitor }: { project: Project; monitor: Monitor }) {
  const navigate = useNavigate();
  const mayUpdate = can(project, "error-groups:update");
  return (
    <>
      <PageHeader
        title={monitor.name}
        crumbs={crumbsOf(project)}
        aside={<StatusBadge look={MONITOR_LOOKS[statusOf(monitor)]} />}
        actions={
          mayUpdate && (
            <MonitorActions
              project={project}
              monitor={monitor}
              onDeleted={() =>
                void navigate({
                  to: "/projects/$projectKey/monitors",
                  params: { projectKey: project.key },
                  replace: true,
                })
              }
            />
          )
        }
      />
      <div className="flex w-full max-w-[960px] flex-col gap-8 px-4 py-6">
        <Facts monitor={monitor} />
        {monitor.environments.length > 0 && (
          <>
            <Environments project={project} monitor={monitor} />
            <CheckIns project={project} monitor={monitor} />
          </>
        )}
        <Panel
          title="Check in from a job"
          lead="A job that calls the ping URL when it ends is enough. If it also calls it when it starts, Signalbox knows how long it runs, and notices if it never ends. Runs are expected after the first check-in."
          padded
        >
          <Snippets project={project} monitor={monitor} />
        </Panel>
      </div>
    </>
  );
}

/** When it is expected, and what makes it an error. */
function Facts({ monitor }: { monitor: Monitor }) {
  const { schedule, timezone, margin_minutes, max_runtime_minutes, muted_until } = monitor;
  const { failure_threshold, recovery_threshold } = monitor;
  return (
    <div className="flex flex-col gap-3">
      {muted_until !== null && (
        <p className="rounded-md bg-sunken px-3 py-2">
          Muted until <Time at={muted_until} as="full" />. Failures are recorded, but cause no errors.
        </p>
      )}
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 md:grid-cols-4 [&_dt]:text-sm [&_dt]:text-text-3">
        <div className="col-span-2">
          <dt>Schedule</dt>
          <dd className="wrap-anywhere">
            {scheduleText(schedule)}
            {schedule.type === "crontab" && (
              <span className="block text-sm text-text-2">
                <code>{schedule.value}</code> · {timezone}
              </span>
            )}
          </dd>
        </div>
        <div>
          <dt>Missed after</dt>
          <dd>{minutesText(margin_minutes)}</dd>
        </div>
        <div>
          <dt>Timed out after</dt>
          <dd>{minutesText(max_runtime_minutes)}</dd>
        </div>
        <div className="col-span-2">
          <dt>Error</dt>
          <dd>
            {failure_threshold === 1
              ? "Opens at the first failure"
              : `Opens after ${failure_threshold} failures in a row`}
          </dd>
        </div>
        <div className="col-span-2">
          <dt>Recovery</dt>
          <dd>
            {recovery_threshold === 1
              ? "Resolved by the next success"
              : `Resolved after ${recovery_threshold} successes in a row`}
          </dd>
        </div>
      </dl>
    </div>
  );
}

const minutesText = (minutes: number) =>
  minutes === 1 ? "1 minute" : `${minutes.toLocaleString("en")} minutes`;
