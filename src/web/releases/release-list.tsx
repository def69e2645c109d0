import { useInfiniteQuery } from "@tanstack/react-query";
import type { Project } from "../../shared/projects.ts";
import type { Release } from "../../shared/releases.ts";
import { releasesQuery } from "../data/releases.ts";
import { Button } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { KIND_ICONS } from "../kit/kind-icons.ts";
import { Skeleton } from "../kit/skeleton.tsx";
import { useRowKeys } from "../lists/use-row-keys.ts";
import { QueryError } from "../page/query-error.tsx";
import { EventsByDay } from "./project-pulse.tsx";
import { RELEASE_COLUMNS, ReleaseRow } from "./release-row.tsx";

/** The list itself, with a button for older releases. */
export function ReleaseList({ project }: { project: Project }) {
  const query = useInfiniteQuery(releasesQuery(project.id));
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
        icon={KIND_ICONS.release}
        title="No releases yet"
        text="A release appears with its first error event, or when your pipeline records its deploy. Then you see which errors it introduced and which it fixed."
      />
    );
  return (
    <>
      <section aria-label="Events by day" className="border-line border-b p-4">
        <EventsByDay project={project} />
      </section>
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
  return (
    <div id={keys.boxId} className="@container">
      <div
        aria-hidden
        className="hidden h-8 items-center gap-3 border-b border-line px-4 text-sm text-text-3 @min-[640px]:flex"
      >
        <span className="flex-1">Release</span>
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
              current={keys.cursor === index}
              row={keys.row(index)}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
