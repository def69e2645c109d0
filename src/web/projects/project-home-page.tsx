import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { Settings } from "lucide-react";
import { Suspense } from "react";
import { buttonClass } from "../kit/button.tsx";
import { Count } from "../kit/count.tsx";
import { DayStrip } from "../kit/charts/day-strip.tsx";
import { lazyPart } from "../kit/lazy-part.tsx";
import { Markdown } from "../kit/markdown/markdown.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { StateMark } from "../marks/state-mark.tsx";
import { Time } from "../kit/dates/time.tsx";
import { firstGroupQuery } from "../data/errors/first-group.ts";
import { FirstEvent } from "./first-event.tsx";
import { countsQuery } from "../data/projects/counts.ts";
import { worstErrorsQuery, waitingReportsQuery } from "../data/projects/overview.ts";
import { can, useProject } from "../data/projects/projects.ts";
import { PanelLine } from "../lists/panel-line.tsx";
import { PanelSkeleton } from "../lists/panel-skeleton.tsx";
import { wholeRow } from "../lists/row.tsx";
import { ProjectPulse } from "../releases/project-pulse.tsx";
import { Card, Empty } from "./overview-card.tsx";
import { OverviewEpics, OverviewIssues, OverviewSprint } from "./overview-work.tsx";

const FailingWebhooks = lazyPart(
  async () => (await import("../integrations/webhooks/failing-webhooks.tsx")).FailingWebhooks,
);
const UsageNotices = lazyPart(async () => (await import("../errors/list/usage-notices.tsx")).UsageNotices);

/** The project's overview. Loads only what the user may read. */
export function ProjectHomePage() {
  const project = useProject();
  const { key: projectKey, features } = project;
  const readsErrors = features.error_tracking && can(project, "error-groups:read");
  return (
    <>
      <PageHeader
        title={project.name}
        aside={<span className="text-text-3">{projectKey}</span>}
        actions={
          <Link to="/projects/$projectKey/settings" params={{ projectKey }} className={buttonClass()}>
            <Settings size={16} aria-hidden />
            Settings
          </Link>
        }
      />
      <div className="flex max-w-304 flex-col gap-4 p-4">
        {project.description && (
          <div className="max-w-read">
            <Markdown text={project.description} />
          </div>
        )}
        {can(project, "project:update") && (
          <Suspense fallback={null}>
            <FailingWebhooks project={project} />
          </Suspense>
        )}
        {readsErrors && (
          <>
            <Suspense fallback={null}>
              <UsageNotices projectId={project.id} className="rounded-md px-3 py-2" />
            </Suspense>
            <ProjectPulse project={project} />
          </>
        )}
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <div className={COLUMN}>
            {readsErrors && <WorstErrors />}
            {can(project, "epics:read") && (
              <div className="min-w-0 max-lg:order-last">
                <OverviewEpics />
              </div>
            )}
          </div>
          <div className={COLUMN}>
            {features.reports && can(project, "reports:read") && <WaitingReports />}
            {can(project, "issues:read") && <OverviewIssues />}
            {can(project, "issues:read") && <OverviewSprint />}
          </div>
        </div>
      </div>
    </>
  );
}

const MAX_LINES = 5;

/** Narrow windows have a single column, in an order of its own. */
const COLUMN = "contents min-w-0 flex-col gap-4 empty:hidden lg:flex";

function WorstErrors() {
  const project = useProject();
  const query = useQuery(worstErrorsQuery(project.id));
  const { data } = query;
  const open = useQuery(countsQuery(project.id)).data?.open_errors ?? 0;
  const params = { projectKey: project.key };
  return (
    <Card
      title="Worst errors"
      query={query}
      all={
        <Link to="/projects/$projectKey/errors" params={params} search={{ sort: "impact" }}>
          All errors
        </Link>
      }
    >
      {data?.length === 0 && <NothingOpen />}
      {!data && (
        <div className="-m-4">
          <PanelSkeleton rows={Math.min(open, MAX_LINES)} lines={2} />
        </div>
      )}
      <ul className="-m-4 empty:hidden">
        {data?.map((group) => (
          <PanelLine
            key={group.id}
            end={
              <span className="flex items-center gap-3">
                <DayStrip counts={group.daily_counts} />
                <Count value={group.occurrence_count} unit="events" className="w-9 text-end" />
              </span>
            }
          >
            <StateMark
              status={group.status}
              regressedAt={group.regressed_at}
              reopenCount={group.reopen_count}
              compact
            />
            <div className="min-w-0 flex-1">
              <Link
                to="/projects/$projectKey/errors/$errorGroupId"
                params={{ ...params, errorGroupId: String(group.id) }}
                className={`block truncate font-medium ${wholeRow}`}
                dir="auto"
                title={group.latest_message || group.exception_class}
              >
                {group.latest_message || group.exception_class}
              </Link>
              <p className="text-text-2 truncate text-sm">{group.exception_class}</p>
            </div>
          </PanelLine>
        ))}
      </ul>
    </Card>
  );
}

/** Everything is triaged, or nothing has ever arrived. */
function NothingOpen() {
  const project = useProject();
  const groups = useQuery(firstGroupQuery(project.id)).data;
  if (groups?.length) return <Empty>No open errors.</Empty>;
  return (
    <>
      <FirstEvent project={project} />
      <Link
        to="/projects/$projectKey/settings"
        params={{ projectKey: project.key }}
        search={{ section: "ingestion" }}
        className="text-accent-text mt-3 inline-block text-sm hover:underline"
      >
        Set up error tracking
      </Link>
    </>
  );
}

function WaitingReports() {
  const { id, key: projectKey } = useProject();
  const query = useQuery(waitingReportsQuery(id));
  const { data } = query;
  const waiting = useQuery(countsQuery(id)).data?.waiting_reports ?? undefined;
  const count = data?.length ?? waiting;
  return (
    <Card
      title={count === undefined ? "Triage" : `Triage: ${count} waiting`}
      query={query}
      all={
        <Link to="/projects/$projectKey/triage" params={{ projectKey }}>
          Go to triage
        </Link>
      }
    >
      {data?.length === 0 && <Empty>The queue is clear.</Empty>}
      {!data && (
        <div className="-m-4">
          <PanelSkeleton rows={Math.min(waiting ?? 0, MAX_LINES)} />
        </div>
      )}
      <ul className="-m-4 empty:hidden">
        {data?.slice(0, MAX_LINES).map((report) => (
          <PanelLine key={report.id} end={<Time at={report.created_at} as="row" />}>
            <Link
              to="/projects/$projectKey/triage"
              params={{ projectKey }}
              search={{ report: String(report.id) }}
              dir="auto"
              title={report.title}
              className={`min-w-0 flex-1 truncate ${wholeRow}`}
            >
              {report.title}
            </Link>
          </PanelLine>
        ))}
      </ul>
    </Card>
  );
}
