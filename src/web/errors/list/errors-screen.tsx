import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ComponentProps, type ReactNode, Suspense, useEffect, useMemo } from "react";
import type { ErrorGroupListItem } from "../../../shared/error-groups.ts";
import type { Project } from "../../../shared/projects.ts";
import { ProjectCrumb } from "../../page/project-crumb.tsx";
import { csvOf } from "../../data/csv.ts";
import { errorGroupsQuery } from "../../data/errors/error-groups.ts";
import { QueryError } from "../../page/query-error.tsx";
import { useProjects } from "../../data/projects/projects.ts";
import { lazyPart } from "../../kit/lazy-part.tsx";
import { PageHeader } from "../../kit/page-header.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { SplitView } from "../../lists/split-view.tsx";
import { TabLinks } from "../../kit/tab-links.tsx";
import { EmptyErrors } from "./empty-errors.tsx";
import { ErrorsFilters } from "./errors-filters.tsx";
import { ErrorsList } from "./errors-list.tsx";
import type { ProjectOf } from "./error-commands.ts";
import { findPeeked, mayBeOnLaterPage } from "./peeked-error.ts";
import { useFreshDay } from "../group/use-fresh-day.ts";
import { useShownErrors } from "../use-shown-errors.ts";
import { useView } from "../use-view.ts";
import { tabOf, TAB_NAMES, TABS, type View } from "../view.ts";
import { ViewsMenu } from "../../views/views-menu.tsx";

const UsageNotices = lazyPart(async () => (await import("./usage-notices.tsx")).UsageNotices);
const ErrorPeek = lazyPart(async () => (await import("./error-peek.tsx")).ErrorPeek);

/** The errors of one project or of all. Tab, filters, order and preview are in the address. */
export function ErrorsScreen({ project }: { project: Project | null }) {
  const { search, change } = useView();
  const { filter, list, groups, isEmptyEverywhere, rows, newCount, refresh, counts, loadMore } =
    useShownErrors(project, search);
  useFreshDay(list);
  const { peeked, projectOf } = usePeekedError({ project, list, groups, peek: search.peek });
  const peekedProject = peeked && projectOf(peeked);
  // All loaded rows can leave the tab at once.
  useEffect(() => {
    if (rows.length === 0) loadMore();
  });

  const content = () => {
    if (rows.length === 0 && (list.isPending || (list.hasNextPage && !list.isError)))
      return <Skeleton rows={8} lines={2} label="Loading errors" />;
    if (list.isLoadingError) return <QueryError error={list.error} retry={() => void list.refetch()} />;
    return (
      <ErrorsList
        project={project}
        projectOf={projectOf}
        rows={rows}
        newCount={newCount}
        onRefresh={refresh}
        more={{
          isThere: list.hasNextPage,
          isLoading: list.isFetchingNextPage,
          hasFailed: list.isFetchNextPageError,
          load: loadMore,
          retry: () => void list.fetchNextPage(),
        }}
        peeked={peeked}
        onPeek={(id) => change({ peek: id === null ? "" : String(id) })}
        view={search}
        empty={
          <EmptyErrors
            view={search}
            project={project}
            isEmptyEverywhere={isEmptyEverywhere}
            change={change}
          />
        }
      />
    );
  };

  return (
    <div className="flex h-[calc(100dvh-48px-var(--messages,0px))] min-h-120 flex-col md:h-[calc(100dvh-var(--messages,0px))] short:h-auto">
      <Header project={project} search={search} filter={filter} counts={counts}>
        {!list.isLoadingError && (
          <ErrorsFilters project={project} view={search} change={change} groups={groups} />
        )}
      </Header>
      {project && (
        <Suspense fallback={null}>
          <UsageNotices projectId={project.id} className="border-b border-line px-4 py-2" />
        </Suspense>
      )}
      <SplitView
        label="Preview"
        opened={peeked?.id}
        list={<div className="@container flex min-h-0 flex-1 flex-col">{content()}</div>}
        preview={
          peeked && peekedProject ? (
            <Preview
              group={peeked}
              project={peekedProject}
              view={search}
              isAll={project === null}
              onClose={() => change({ peek: "" })}
            />
          ) : null
        }
      />
    </div>
  );
}

function Preview(props: ComponentProps<typeof ErrorPeek>) {
  return (
    <Suspense fallback={<Skeleton rows={6} lines={2} />}>
      <ErrorPeek key={props.group.id} {...props} />
    </Suspense>
  );
}

type PeekOptions = {
  project: Project | null;
  list: ReturnType<typeof useShownErrors>["list"];
  groups: readonly ErrorGroupListItem[];
  /** The id in the address. */
  peek: string | undefined;
};

/** The error in the preview, which may be in another tab or on a page that is not loaded, and the projects of all. */
function usePeekedError({ project, list, groups, peek }: PeekOptions) {
  const projects = useProjects();
  const byId = useMemo(() => new Map(projects.map((one) => [one.id, one])), [projects]);
  const projectOf: ProjectOf = ({ project_id }) => byId.get(project_id);
  const isRequested = mayBeOnLaterPage(groups, peek, list.hasNextPage);
  const unlisted = useInfiniteQuery({
    ...errorGroupsQuery(project?.id ?? null, { ids: peek ?? "" }),
    enabled: isRequested,
  });
  const requested = isRequested ? unlisted.data?.pages[0]?.data[0] : undefined;
  const peeked = findPeeked(groups, peek) ?? requested ?? null;
  return { peeked, projectOf };
}

type HeaderProps = {
  project: Project | null;
  search: View;
  filter: ReturnType<typeof useShownErrors>["filter"];
  counts: ReturnType<typeof useShownErrors>["counts"];
  /** The filters; false if the list could not be loaded. */
  children: ReactNode;
};

function Header({ project, search, filter, counts, children }: HeaderProps) {
  return (
    <PageHeader
      title="Errors"
      actions={
        <ViewsMenu
          page={project === null ? "all-errors" : "errors"}
          project={project}
          search={search}
          csv={{
            href: csvOf(project?.id ?? null, "error-groups", { ...filter, ...TABS[tabOf(search)].filter }),
          }}
        />
      }
      crumbs={[project === null ? "All projects" : <ProjectCrumb key="project" project={project} />]}
      tabs={
        children !== false && (
          <TabLinks
            label="Status"
            tabs={TAB_NAMES.map((name) => ({
              label: TABS[name].label,
              current: name === tabOf(search),
              count: counts[name],
              link: (
                <Link to="." search={{ ...search, tab: name === "open" ? "" : name, peek: "" }} replace />
              ),
            }))}
          />
        )
      }
      tools={children}
    />
  );
}
