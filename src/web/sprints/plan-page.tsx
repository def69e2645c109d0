import { Link, useParams } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Issue } from "../../shared/issues.ts";
import type { Sprint } from "../../shared/sprints.ts";
import { allIssuesQuery } from "../data/issues/issues.ts";
import { can, useProject } from "../data/projects/projects.ts";
import { sprintQuery } from "../data/projects/sprints.ts";
import { useIssueNames } from "../data/projects/use-issue-names.ts";
import { inBoardOrder } from "../issues/board-order.ts";
import { TooManyIssues } from "../issues/too-many-issues.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { SearchField } from "../kit/search-field.tsx";
import { ToolSearch } from "../kit/tool-search.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { ProjectCrumb } from "../page/project-crumb.tsx";
import { QueryError } from "../page/query-error.tsx";
import { MeasureSwitch, useMeasure } from "./measure-switch.tsx";
import { sizeOfAll } from "./measure.ts";
import { PlanBoard } from "./plan-board.tsx";
import { PlanSums } from "./plan-sums.tsx";

/** The backlog and a sprint side by side. */
export function PlanPage() {
  const project = useProject();
  const { sprintId } = useParams({ from: "/app/projects/$projectKey/sprints/$sprintId/plan" });
  const sprint = useQuery(sprintQuery(project.id, sprintId));
  const issues = useQuery(allIssuesQuery(project.id));
  const failed = [sprint, issues].find(({ isError, data }) => isError && data === undefined)?.error;
  if (failed)
    return <QueryError error={failed} retry={() => void Promise.all([sprint.refetch(), issues.refetch()])} />;
  if (sprint.data && issues.data) return <Shown sprint={sprint.data} issues={issues.data} />;
  return (
    <>
      <PageHeader title="Plan" />
      <Skeleton rows={8} label="Loading the issues" />
    </>
  );
}

function Shown({ sprint, issues }: { sprint: Sprint; issues: readonly Issue[] }) {
  const project = useProject();
  const issueNames = useIssueNames(project.id);
  const [measure, setMeasure] = useMeasure(project.id);
  const [query, setQuery] = useState("");
  const inOrder = useMemo(() => inBoardOrder(issues, issueNames.lanes), [issues, issueNames.lanes]);
  const planned = useMemo(
    () => inOrder.filter(({ sprint_id }) => sprint_id === sprint.id),
    [inOrder, sprint.id],
  );
  const backlog = useMemo(() => {
    const words = query.trim().toLowerCase();
    const matches = ({ key, title }: Issue) => `${key} ${title}`.toLowerCase().includes(words);
    return inOrder.filter((issue) => issue.sprint_id === null && issue.closed_at === null && matches(issue));
  }, [inOrder, query]);
  const params = { projectKey: project.key };
  return (
    <div className="flex min-h-0 flex-col md:h-[calc(100dvh-var(--messages,0px))] short:h-auto">
      <PageHeader
        title="Plan"
        crumbs={[
          <ProjectCrumb key="project" project={project} />,
          <Link key="sprints" to="/projects/$projectKey/sprints" params={params}>
            Sprints
          </Link>,
          <Link
            key="sprint"
            to="/projects/$projectKey/sprints/$sprintId"
            params={{ ...params, sprintId: String(sprint.id) }}
          >
            {sprint.name}
          </Link>,
        ]}
        tabs={
          <ToolSearch>
            <SearchField
              label="Filter the backlog"
              placeholder="Title or key"
              value={query}
              onChange={setQuery}
            />
          </ToolSearch>
        }
        tools={<MeasureSwitch value={measure} onChange={setMeasure} />}
      />
      <div className="px-4 py-3">
        <PlanSums sprint={sprint} planned={sizeOfAll(planned, measure)} measure={measure} />
      </div>
      <PlanBoard
        sprint={sprint}
        backlog={backlog}
        planned={planned}
        issueNames={issueNames}
        measure={measure}
        movable={can(project, "issues:update") && sprint.state !== "closed"}
      />
      <TooManyIssues shown={issues.length} />
    </div>
  );
}
