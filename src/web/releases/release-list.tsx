import { Link, useSearch } from "@tanstack/react-router";
import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import type { Page } from "../../shared/answers.ts";
import type { Project } from "../../shared/projects.ts";
import type { Release } from "../../shared/releases.ts";
import { can } from "../data/projects/projects.ts";
import { releasesQuery } from "../data/errors/releases.ts";
import { Button, buttonClass } from "../kit/button.tsx";
import { cx } from "../kit/cx.ts";
import { CodeBlock } from "../kit/markdown/code-block.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { useRowKeys } from "../lists/use-row-keys.ts";
import { QueryError } from "../page/query-error.tsx";
import { EnvironmentFilter } from "./environment-filter.tsx";
import { EventsByDay } from "./project-pulse.tsx";
import { deployCommand } from "./deploy-command.ts";
import { HEALTH_COLUMNS, RELEASE_COLUMNS, ReleaseRow } from "./release-row.tsx";

/** The list itself, with a button for older releases. */
export function ReleaseList({ project }: { project: Project }) {
  const { environment } = useSearch({ from: "/app/projects/$projectKey/releases" });
  const query = useInfiniteQuery({
    ...releasesQuery(project.id, environment),
    // Only their health depends on the environment.
    placeholderData: (previous: InfiniteData<Page<Release>, string | undefined> | undefined, last) =>
      last?.queryKey[1] === project.id ? previous : undefined,
  });
  if (query.data === undefined)
    return query.isError ? (
      <QueryError error={query.error} retry={() => void query.refetch()} />
    ) : (
      <Skeleton rows={6} lines={2} label="Loading releases" />
    );
  const releases = query.data.pages.flatMap(({ data }) => data);
  if (releases.length === 0)
    return (
      <EmptyState
        drawing="releases"
        title="No releases yet"
        text="Releases appear with their first error or deploy. Record a deploy at the end of your pipeline."
        code={<CodeBlock label="Record a deploy" code={deployCommand(location.origin, project.key)} />}
        action={
          can(project, "project:update") && (
            <Link
              to="/projects/$projectKey/settings"
              params={{ projectKey: project.key }}
              search={{ section: "tokens" }}
              className={buttonClass()}
            >
              Create a token
            </Link>
          )
        }
      />
    );
  const environments = [...new Set(releases.flatMap((release) => release.environments))];
  return (
    <>
      <section aria-label="Events by day" className="border-line border-b p-4">
        <EventsByDay project={project} />
      </section>
      {(environments.length > 1 || environment !== undefined) && (
        <search className="flex gap-2 border-b border-line p-2">
          <EnvironmentFilter environments={environments} />
        </search>
      )}
      <ReleaseRows project={project} releases={releases} />
      {query.hasNextPage && (
        <div className="p-3 text-center">
          <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older releases
          </Button>
        </div>
      )}
    </>
  );
}

function ReleaseRows({ project, releases }: { project: Project; releases: readonly Release[] }) {
  const keys = useRowKeys(releases.length);
  const latest = releases.find(({ first_seen_at }) => first_seen_at !== null);
  const hasHealth = releases.some(({ environments }) => environments.length > 0);
  return (
    <div id={keys.boxId} className="@container">
      <div
        aria-hidden
        className="hidden h-8 items-center gap-3 border-b border-line px-4 text-sm text-text-3 @min-[640px]:flex"
      >
        <span className="flex-1">Release</span>
        {hasHealth && (
          <>
            <span className={cx(HEALTH_COLUMNS, "w-33")}>Crash-free sessions</span>
            <span className={cx(HEALTH_COLUMNS, "w-28")}>Crash-free users</span>
            <span className={cx(HEALTH_COLUMNS, "w-18")}>Adoption</span>
          </>
        )}
        <span className={RELEASE_COLUMNS}>New</span>
        <span className={RELEASE_COLUMNS}>Regressed</span>
        <span className={RELEASE_COLUMNS}>Fixed</span>
        <span className={RELEASE_COLUMNS}>Events</span>
      </div>
      <ul aria-label="Releases">
        {releases.map((release, index) => (
          <li key={release.id}>
            <ReleaseRow
              release={release}
              projectKey={project.key}
              isLatest={release === latest}
              hasHealth={hasHealth}
              current={keys.cursor === index}
              row={keys.row(index)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
