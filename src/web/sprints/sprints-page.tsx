import { useNavigate } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { use, useMemo, useState } from "react";
import type { Issue } from "../../shared/issues.ts";
import type { Sprint } from "../../shared/sprints.ts";
import { ProjectCrumb } from "../page/project-crumb.tsx";
import { QueryError } from "../page/query-error.tsx";
import { todayIn } from "../kit/dates/days.ts";
import { allIssuesQuery, MAX_ISSUES } from "../data/issues/issues.ts";
import { usePaletteCommand } from "../keys/commands.ts";
import { useLanes } from "../data/projects/lanes.ts";
import { can, useProject } from "../data/projects/projects.ts";
import { CsvLink } from "../views/csv-link.tsx";
import { csvOf } from "../data/csv.ts";
import { useRowKeys } from "../lists/use-row-keys.ts";
import { Button } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { TimeZoneContext, useNow } from "../kit/dates/time.tsx";
import { sprintsQuery } from "../data/projects/sprints.ts";
import { BurnUpChart } from "./burn-up-chart.tsx";
import { SprintDialog } from "./sprint-dialog.tsx";
import { SprintRow } from "./sprint-row.tsx";
import { sprintsIn } from "./sprint-sums.ts";

const STATES = [
  { state: "active", title: "Active", none: "No active sprint. Start a planned one." },
  { state: "planned", title: "Planned", none: "No planned sprints." },
  { state: "closed", title: "Closed", none: "" },
] as const;

export function SprintsPage() {
  const project = useProject();
  const navigate = useNavigate();
  const query = useQuery(sprintsQuery(project.id));
  const [creating, setCreating] = useState(false);
  const mayManage = can(project, "project:update");
  usePaletteCommand("new-sprint", "New sprint", () => setCreating(true), mayManage);
  if (query.isError && !query.data)
    return <QueryError error={query.error} retry={() => void query.refetch()} />;
  const create = mayManage && (
    <Button variant="primary" icon={Plus} onClick={() => setCreating(true)}>
      New sprint
    </Button>
  );
  const isBare = query.data?.length === 0;
  return (
    <>
      <PageHeader
        title="Sprints"
        crumbs={[<ProjectCrumb key="project" project={project} />]}
        actions={
          !isBare && (
            <>
              <CsvLink href={csvOf(project.id, "sprints")} />
              {create}
            </>
          )
        }
      />
      {!query.data && <Skeleton lines={2} label="Loading sprints" />}
      {isBare && (
        <EmptyState
          drawing="sprints"
          title="No sprints yet"
          text={
            mayManage
              ? "A sprint is a period of time with the issues planned for it. Create one, then add issues."
              : "A sprint is a period of time with the issues planned for it. Project managers can create one."
          }
          action={create}
        />
      )}
      {query.data && !isBare && <Sprints sprints={query.data} />}
      {creating && (
        <SprintDialog
          projectId={project.id}
          onClose={() => setCreating(false)}
          onSaved={({ id }) =>
            void navigate({
              to: "/projects/$projectKey/sprints/$sprintId",
              params: { projectKey: project.key, sprintId: String(id) },
            })
          }
        />
      )}
    </>
  );
}

/** Hidden only if the sprint turns out to be empty. */
function ActiveBurnUp({ sprint, issues }: { sprint: Sprint; issues: Issue[] | undefined }) {
  if (issues?.length === 0) return null;
  return (
    <div className="mx-4 min-h-83 rounded-md border border-line bg-surface p-4">
      {issues && <BurnUpChart sprint={sprint} issues={issues} />}
    </div>
  );
}

function Sprints({ sprints }: { sprints: Sprint[] }) {
  const project = useProject();
  const lanes = useLanes(project.id);
  const today = todayIn(use(TimeZoneContext), useNow());
  // The same query as on the board and the issue list, so it is often cached.
  const readsIssues = can(project, "issues:read");
  const { data: issues } = useQuery({ ...allIssuesQuery(project.id), enabled: readsIssues });
  const bySprint = useMemo(() => Map.groupBy(issues ?? [], ({ sprint_id }) => sprint_id), [issues]);
  const issuesOf = (id: number): Issue[] | undefined =>
    issues || !readsIssues ? (bySprint.get(id) ?? []) : undefined;
  const groups = STATES.map((group) => ({ ...group, sprints: sprintsIn(sprints, group.state) }));
  const order = groups.flatMap((group) => group.sprints.map(({ id }) => id));
  const keys = useRowKeys(order.length);
  const active = groups.flatMap((group) => (group.state === "active" ? group.sprints : []))[0];
  return (
    <div id={keys.boxId} className="flex flex-col gap-6 py-4">
      {active && readsIssues && <ActiveBurnUp sprint={active} issues={issues && issuesOf(active.id)} />}
      {groups.map(({ state, title, none, sprints: shown }) =>
        shown.length === 0 && none === "" ? null : (
          <section key={state} aria-labelledby={`sprints-${state}`}>
            <h2 id={`sprints-${state}`} className="px-4 pb-2 font-semibold">
              {title} {shown.length > 0 && <span className="font-normal text-text-3">{shown.length}</span>}
            </h2>
            {shown.length === 0 ? (
              <p className="border-y border-line bg-surface px-4 py-3 text-text-2">{none}</p>
            ) : (
              <ul className="border-t border-line bg-surface">
                {shown.map((sprint) => {
                  const index = order.indexOf(sprint.id);
                  return (
                    <li key={sprint.id}>
                      <SprintRow
                        sprint={sprint}
                        projectKey={project.key}
                        issues={issuesOf(sprint.id)}
                        lanes={lanes}
                        today={today}
                        current={keys.cursor === index}
                        row={keys.row(index)}
                        onDeleted={keys.refocus}
                      />
                    </li>
                  );
                })}
              </ul>
            )}
          </section>
        ),
      )}
      {issues && issues.length >= MAX_ISSUES && (
        <p className="px-4 text-sm text-text-3">
          Counts include the {MAX_ISSUES.toLocaleString("en")} newest issues only. The page of a sprint counts
          all its issues.
        </p>
      )}
    </div>
  );
}
