import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { ListChecks, SquareKanban } from "lucide-react";
import { Suspense, use, useMemo } from "react";
import type { Issue } from "../../shared/issues.ts";
import type { Sprint } from "../../shared/sprints.ts";
import { ProjectCrumb } from "../page/project-crumb.tsx";
import { QueryError } from "../page/query-error.tsx";
import { todayIn } from "../kit/dates/days.ts";
import { AttachedFallback } from "../epics/attached-skeleton.tsx";
import { percentDone, totalOf } from "../epics/lane-counts.ts";
import { LaneLegend, LaneProgress } from "../epics/lane-progress.tsx";
import { estimateText } from "../marks/estimate.ts";
import { issuesQuery } from "../data/issues/issues.ts";
import { useLanes } from "../data/projects/lanes.ts";
import { can, useProject } from "../data/projects/projects.ts";
import { Badge } from "../kit/badge.tsx";
import { buttonClass } from "../kit/button.tsx";
import { lazyPart } from "../kit/lazy-part.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { PageTitle } from "../kit/page-title.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { TimeZoneContext, useNow } from "../kit/dates/time.tsx";
import { sprintQuery } from "../data/projects/sprints.ts";
import { BurnUpChart } from "./burn-up-chart.tsx";
import { Capacity } from "./capacity.tsx";
import { SprintActions } from "./sprint-actions.tsx";
import { Overdue, SprintDays } from "./sprint-row.tsx";
import { type Sums, sumsOf } from "./sprint-sums.ts";

/** The issue table is large, so it loads after the page. */
const AttachedIssues = lazyPart(async () => (await import("../epics/attached-issues.tsx")).AttachedIssues);

export function SprintPage() {
  const project = useProject();
  const { sprintId } = useParams({ from: "/app/projects/$projectKey/sprints/$sprintId" });
  const query = useQuery(sprintQuery(project.id, sprintId));
  if (query.data) return <Shown key={query.data.id} sprint={query.data} />;
  if (query.isError) return <QueryError error={query.error} retry={() => void query.refetch()} />;
  return (
    <>
      <PageHeader title="Sprint" />
      <Skeleton label="Loading the sprint" />
    </>
  );
}

function Shown({ sprint }: { sprint: Sprint }) {
  const project = useProject();
  const navigate = useNavigate();
  const readsIssues = can(project, "issues:read");
  const listed = useQuery({
    ...issuesQuery(project.id, { sprint_id: String(sprint.id) }),
    enabled: readsIssues,
  });
  // Hide issues that were just moved to another sprint.
  const issues = useMemo(
    () => (readsIssues ? listed.data?.filter(({ sprint_id }) => sprint_id === sprint.id) : []),
    [readsIssues, listed.data, sprint.id],
  );
  const today = todayIn(use(TimeZoneContext), useNow());
  const params = { projectKey: project.key };
  return (
    <>
      <PageHeader
        title={sprint.name}
        titled="long"
        crumbs={[
          <ProjectCrumb key="project" project={project} />,
          <Link key="sprints" to="/projects/$projectKey/sprints" params={params}>
            Sprints
          </Link>,
        ]}
        actions={
          <>
            {readsIssues && <IssueLinks sprint={sprint} />}
            <SprintActions
              sprint={sprint}
              issues={issues}
              onDeleted={() => void navigate({ to: "/projects/$projectKey/sprints", params })}
            />
          </>
        }
      />
      <div className="flex flex-col gap-6 p-4">
        <div className="max-w-read">
          <PageTitle
            aside={
              <>
                <StateBadge state={sprint.state} />
                <Overdue sprint={sprint} today={today} />
              </>
            }
          >
            {sprint.name}
          </PageTitle>
          <p className="text-text-2">
            <SprintDays sprint={sprint} />
          </p>
          {sprint.goal && <p className="mt-1 whitespace-pre-wrap text-read">{sprint.goal}</p>}
        </div>
        {readsIssues && <SprintIssues sprint={sprint} listed={listed} issues={issues} />}
      </div>
    </>
  );
}

/** To planning and to the board. */
function IssueLinks({ sprint }: { sprint: Sprint }) {
  const project = useProject();
  const params = { projectKey: project.key };
  return (
    <>
      {sprint.state !== "closed" && can(project, "issues:update") && (
        <Link
          to="/projects/$projectKey/sprints/$sprintId/plan"
          params={{ ...params, sprintId: String(sprint.id) }}
          className={buttonClass()}
        >
          <ListChecks aria-hidden size={16} className="sm:hidden" />
          <span className="max-sm:sr-only">Plan</span>
        </Link>
      )}
      <Link
        to="/projects/$projectKey/board"
        params={params}
        search={{ sprint: String(sprint.id) }}
        className={buttonClass()}
      >
        {/* A phone's header has room for the icon only. */}
        <SquareKanban aria-hidden size={16} className="sm:hidden" />
        <span className="max-sm:sr-only">View board</span>
      </Link>
    </>
  );
}

type IssuesProps = { sprint: Sprint; listed: UseQueryResult<Issue[]>; issues: Issue[] | undefined };

/** The scope, the burn-up chart, and the list. */
function SprintIssues({ sprint, listed, issues }: IssuesProps) {
  const lanes = useLanes(useProject().id);
  if (listed.isError && !listed.data)
    return <QueryError error={listed.error} retry={() => void listed.refetch()} />;
  return (
    <>
      {issues === undefined && (
        // As high as the cards, so that the issues below stay where they are.
        <div aria-hidden className="h-83 rounded-md border border-line bg-surface" />
      )}
      {issues && issues.length > 0 && (
        <div className="grid min-h-83 gap-4 md:grid-cols-[280px_minmax(0,1fr)]">
          <SumsCard sprint={sprint} sums={sumsOf(issues, lanes)} />
          <div className={CARD}>
            <BurnUpChart sprint={sprint} issues={issues} />
          </div>
        </div>
      )}
      <Suspense fallback={<AttachedFallback counts={undefined} />}>
        <AttachedIssues issues={issues} to={{ sprint_id: sprint.id }} open={sprint.state !== "closed"} />
      </Suspense>
    </>
  );
}

const CARD = "min-w-0 rounded-md border border-line bg-surface p-4";

function SumsCard({ sprint, sums }: { sprint: Sprint; sums: Sums }) {
  const { counts, estimated, estimatedDone, unestimated } = sums;
  const total = totalOf(counts);
  return (
    <section aria-labelledby="scope" className={`${CARD} flex flex-col gap-3`}>
      <h2 id="scope" className="font-medium">
        Scope
      </h2>
      <p className="flex items-baseline gap-2">
        <span className="text-display font-semibold">{`${percentDone(counts)}%`}</span>
        <span className="text-text-2">{`${counts.done} of ${total} issues done`}</span>
      </p>
      <LaneProgress counts={counts} className="h-2" />
      <LaneLegend counts={counts} />
      <Capacity sprint={sprint} planned={{ issues: total, minutes: estimated }} />
      <p className="border-t border-line pt-3 text-text-2">
        {estimated > 0 &&
          `${estimateText(estimatedDone)} of ${estimateText(estimated)} estimated work is done.`}
        {unestimated > 0 && ` ${unestimated} ${unestimated === 1 ? "issue has" : "issues have"} no estimate.`}
      </p>
    </section>
  );
}

const STATE_BADGES = {
  planned: { tone: "neutral", word: "Planned" },
  active: { tone: "accent", word: "Active" },
  closed: { tone: "resolved", word: "Closed" },
} as const;

function StateBadge({ state }: { state: Sprint["state"] }) {
  const { tone, word } = STATE_BADGES[state];
  return <Badge tone={tone}>{word}</Badge>;
}
