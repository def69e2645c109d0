import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Project } from "../../shared/projects.ts";
import type { Release } from "../../shared/releases.ts";
import { MAX_NEW_ERRORS } from "../../shared/new-errors.ts";
import { countsQuery } from "../data/projects/counts.ts";
import { usageQuery } from "../data/projects/project-settings.ts";
import { releasesQuery } from "../data/errors/releases.ts";
import { BarChart, type Mark } from "../kit/charts/bar-chart.tsx";
import { Figure } from "../kit/charts/figure.tsx";
import { wholeRow } from "../lists/row.tsx";
import { QueryError } from "../page/query-error.tsx";

/** The project's errors in three figures, and its events of the last 30 days with the releases. */
export function ProjectPulse({ project }: { project: Project }) {
  return (
    <section
      aria-label="Errors at a glance"
      className="border-line bg-surface grid grid-cols-1 rounded-md border md:grid-cols-[208px_minmax(0,1fr)]"
    >
      <Figures project={project} />
      <div className="border-line min-w-0 p-4 max-md:border-t md:border-s">
        <EventsByDay project={project} />
      </div>
    </section>
  );
}

function Figures({ project }: { project: Project }) {
  const counts = useQuery(countsQuery(project.id)).data;
  const params = { projectKey: project.key };
  const fresh = counts?.new_errors ?? undefined;
  return (
    <dl className="flex md:flex-col md:justify-evenly">
      <Figure label="Open errors" value={counts?.open_errors ?? undefined}>
        {(label) => (
          <Link to="/projects/$projectKey/errors" params={params} className={wholeRow}>
            {label}
          </Link>
        )}
      </Figure>
      <Figure label="New today" value={fresh} isMore={fresh === MAX_NEW_ERRORS}>
        {(label) => (
          <Link
            to="/projects/$projectKey/errors"
            params={params}
            search={{ tab: "all", sort: "first_seen" }}
            className={wholeRow}
          >
            {label}
          </Link>
        )}
      </Figure>
      <Figure label="Regressed" value={counts?.regressed_errors ?? undefined} tone="worse">
        {(label) => (
          <Link
            to="/projects/$projectKey/errors"
            params={params}
            search={{ tab: "regressed" }}
            className={wholeRow}
          >
            {label}
          </Link>
        )}
      </Figure>
    </dl>
  );
}

/** The project's accepted events per UTC day, with a mark at the first day of each release. */
export function EventsByDay({ project }: { project: Project }) {
  const usage = useQuery(usageQuery(project.id));
  const releases = useInfiniteQuery(releasesQuery(project.id)).data;
  if (usage.data === undefined && usage.isError)
    return <QueryError error={usage.error} retry={() => void usage.refetch()} />;
  const days = usage.data?.map(({ day, accepted }) => ({ date: day, count: accepted }));
  return (
    // As high as the chart with its legend, so that nothing moves when it arrives.
    <div className="min-h-62">
      {days && (
        <BarChart
          title={`Events in the last ${days.length} days (UTC)`}
          days={days}
          marks={marksOf(
            releases?.pages.flatMap(({ data }) => data) ?? [],
            days.map(({ date }) => date),
          )}
          marksName="Release first seen"
        />
      )}
    </div>
  );
}

function marksOf(releases: readonly Release[], days: readonly string[]): Mark[] {
  return releases.toReversed().flatMap(({ version, first_seen_at }) => {
    const date = first_seen_at?.slice(0, 10) ?? "";
    return days.includes(date) ? [{ date, name: version, label: `${version} first seen` }] : [];
  });
}
