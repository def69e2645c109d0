import { Link } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import type { Epic } from "../../shared/epics.ts";
import type { Sprint } from "../../shared/sprints.ts";
import { countKinds, progressText, totalOf } from "../epics/lane-counts.ts";
import { LaneProgress } from "../epics/lane-progress.tsx";
import { epicsQuery } from "../data/projects/epics.ts";
import { allIssuesQuery, MAX_ISSUES } from "../data/issues/issues.ts";
import { useLanes } from "../data/projects/lanes.ts";
import { sprintsQuery } from "../data/projects/sprints.ts";
import { LaneMark } from "../marks/lane-mark.tsx";
import { Day } from "../kit/dates/time.tsx";
import { Card, Empty } from "./overview-card.tsx";
import { useProject } from "../data/projects/projects.ts";
import { PanelLine } from "../lists/panel-line.tsx";
import { wholeRow } from "../lists/row.tsx";
import { Loaded } from "../forms/loaded.tsx";

/** Issues per lane. Uses the same query as the board and the issue list, which then open from the cache. */
export function OverviewIssues() {
  const { id, key: projectKey } = useProject();
  const query = useQuery(allIssuesQuery(id));
  const { data } = query;
  const lanes = useLanes(id);
  const inLane = Map.groupBy(data ?? [], ({ lane_id }) => lane_id);
  return (
    <Card
      title={
        data === undefined
          ? "Issues"
          : `Issues: ${data.filter(({ closed_at }) => closed_at === null).length} open`
      }
      query={query}
      all={
        <Link to="/projects/$projectKey/board" params={{ projectKey }}>
          Board
        </Link>
      }
    >
      {data?.length === 0 && <Empty>No issues yet.</Empty>}
      {data?.length !== 0 && (
        <>
          <div className="mb-3 h-2">
            {data && <LaneProgress counts={countKinds(data, lanes)} className="h-2" />}
          </div>
          <ul className="grid gap-x-6 gap-y-1 sm:grid-cols-2">
            {lanes.map((lane) => (
              <li key={lane.id} className="flex items-center justify-between gap-3">
                <Link
                  to="/projects/$projectKey/issues"
                  params={{ projectKey }}
                  search={{ lane: String(lane.id), state: "all" }}
                  className="flex min-w-0 hover:underline"
                >
                  <LaneMark kind={lane.kind} name={lane.name} />
                </Link>
                <span className="text-text-2">{data && (inLane.get(lane.id)?.length ?? 0)}</span>
              </li>
            ))}
          </ul>
          {data && data.length >= MAX_ISSUES && (
            <p className="text-text-3 mt-2 text-sm">
              Of the {MAX_ISSUES.toLocaleString("en")} newest issues.
            </p>
          )}
        </>
      )}
    </Card>
  );
}

export function OverviewSprint() {
  const { id, key: projectKey } = useProject();
  const sprints = useQuery(sprintsQuery(id));
  const sprint = sprints.data?.find(({ state }) => state === "active");
  return (
    <Card
      title={sprint?.name ?? "Active sprint"}
      all={
        <Link to="/projects/$projectKey/sprints" params={{ projectKey }}>
          All sprints
        </Link>
      }
    >
      <Loaded query={sprints} rows={2}>
        {() => (sprint ? <ActiveSprint sprint={sprint} /> : <Empty>No active sprint.</Empty>)}
      </Loaded>
    </Card>
  );
}

function ActiveSprint({ sprint }: { sprint: Sprint }) {
  const { id, key: projectKey } = useProject();
  const lanes = useLanes(id);
  const { data } = useQuery(allIssuesQuery(id));
  const counts = countKinds(data?.filter(({ sprint_id }) => sprint_id === sprint.id) ?? [], lanes);
  return (
    <>
      {sprint.goal && <p className="mb-2 line-clamp-3">{sprint.goal}</p>}
      {(data === undefined || totalOf(counts) > 0) && (
        <div className="min-h-7">
          {data && (
            <>
              <LaneProgress counts={counts} className="h-2" />
              <p className="text-text-2 mt-1 text-sm">{progressText(counts)}</p>
            </>
          )}
        </div>
      )}
      <p className="text-text-2 mt-1">
        <Day day={sprint.starts_on} /> – <Day day={sprint.ends_on} />.{" "}
        <Link
          to="/projects/$projectKey/sprints/$sprintId"
          params={{ projectKey, sprintId: String(sprint.id) }}
          className="text-accent-text underline"
        >
          Open sprint
        </Link>
      </p>
    </>
  );
}

export function OverviewEpics() {
  const { id, key: projectKey } = useProject();
  const query = useQuery(epicsQuery(id));
  return (
    <Card
      title="Open epics"
      all={
        <Link to="/projects/$projectKey/epics" params={{ projectKey }}>
          All epics
        </Link>
      }
    >
      <Loaded query={query} rows={2}>
        {(all) => <EpicLines epics={all.filter(({ state }) => state === "open")} />}
      </Loaded>
    </Card>
  );
}

function EpicLines({ epics }: { epics: readonly Epic[] }) {
  const { key: projectKey } = useProject();
  if (epics.length === 0) return <Empty>No open epics.</Empty>;
  return (
    <ul className="-m-4">
      {epics.slice(0, 5).map(({ id: epicId, title, issue_counts: counts }) => (
        <PanelLine
          key={epicId}
          end={
            <span className="flex items-center gap-3">
              <LaneProgress counts={counts} className="w-24 max-sm:hidden" />
              <span className="w-20 text-end">
                {totalOf(counts) === 0 ? "No issues" : `${counts.done} of ${totalOf(counts)} done`}
              </span>
            </span>
          }
        >
          <Link
            to="/projects/$projectKey/epics/$epicId"
            params={{ projectKey, epicId: String(epicId) }}
            dir="auto"
            className={`min-w-0 flex-1 truncate ${wholeRow}`}
          >
            {title}
          </Link>
        </PanelLine>
      ))}
    </ul>
  );
}
