import { Plus } from "lucide-react";
import { useMemo } from "react";
import { openDialog } from "../page/open-dialog.ts";
import { ProjectCrumb } from "../page/project-crumb.tsx";
import { QueryError } from "../page/query-error.tsx";
import { can, useProject } from "../data/projects/projects.ts";
import { Button } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { KIND_ICONS } from "../marks/kind-icons.ts";
import { PageHeader } from "../kit/page-header.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { byIdOf } from "./blocked.ts";
import { FilterBar, TextFilter } from "./filter-bar.tsx";
import { isFiltered } from "./issue-filters.ts";
import { asGrouping } from "./issue-groups.ts";
import { issuesCsv } from "./issues-csv.ts";
import { IssueTable } from "./issue-table.tsx";
import { TooManyIssues } from "./too-many-issues.tsx";
import { ViewsMenu } from "../views/views-menu.tsx";
import { StateTabs } from "./state-tabs.tsx";
import { useIssueNames } from "../data/projects/use-issue-names.ts";
import { useProjectIssues } from "./use-project-issues.ts";
import { useShownIssues } from "./use-shown-issues.ts";
import { useView } from "./use-view.ts";
import { ViewControls } from "./view-controls.tsx";

/** The project's issues as a list. The whole view is stored in the address. */
export function IssuesPage() {
  const project = useProject();
  const { search, set, clear } = useView();
  const { query, issues: data, isComplete } = useProjectIssues(project.id, search);
  const issueNames = useIssueNames(project.id);
  const mayCreate = can(project, "issues:create");

  const { matching, shown, sort } = useShownIssues(data, search);
  const byId = useMemo(() => byIdOf(data ?? []), [data]);
  const create = mayCreate && (
    <Button variant="primary" icon={Plus} shortcut="c" onClick={() => openDialog({ kind: "new-issue" })}>
      New issue
    </Button>
  );
  const crumbs = [<ProjectCrumb key="project" project={project} />];
  // Keep showing cached data if a refetch fails.
  if (query.isError && query.data === undefined)
    return (
      <>
        <PageHeader title="Issues" crumbs={crumbs} />
        <QueryError error={query.error} retry={() => void query.refetch()} />
      </>
    );
  return (
    <div className="flex h-[calc(100dvh-48px-var(--messages,0px))] min-h-0 flex-col md:h-[calc(100dvh-var(--messages,0px))] short:h-auto">
      <PageHeader
        title="Issues"
        crumbs={crumbs}
        actions={create}
        tabs={<StateTabs search={search} issues={isComplete ? matching : undefined} />}
        tools={
          <>
            <TextFilter search={search} set={set} />
            <FilterBar projectId={project.id} lanes search={search} set={set} clear={clear} />
            <ViewControls groupings={GROUPINGS} search={search} set={set} />
            <ViewsMenu
              page="issues"
              project={project}
              search={search}
              csv={issuesCsv(project.id, search, { shown, loaded: query.data })}
            />
          </>
        }
      />
      {data === undefined || (!isComplete && shown.length === 0) ? (
        <Skeleton rows={12} label="Loading the issues" />
      ) : (
        <IssueTable
          label="Issues"
          issues={shown}
          byId={byId}
          grouping={asGrouping(search["group"])}
          time={sort === "created" ? "created_at" : "updated_at"}
          issueNames={issueNames}
          peek={search["peek"]}
          onPeek={(peek) => set({ peek })}
          empty={
            isFiltered(search) ? (
              <EmptyState
                icon={KIND_ICONS.issue}
                title="No matching issues"
                text="No issues match these filters."
                action={<Button onClick={clear}>Clear filters</Button>}
              />
            ) : (
              <EmptyState
                drawing="issues"
                title={search["state"] === "closed" ? "No closed issues" : "No open issues"}
                text="Issues are features and bugs to work on. You can also promote reports and errors to issues."
                action={search["state"] !== "closed" && create}
              />
            )
          }
        />
      )}
      {!isComplete && data !== undefined && (
        <p role="status" className="border-t border-line px-4 py-2 text-sm text-text-2">
          Loading older issues…
        </p>
      )}
      <TooManyIssues shown={query.data?.length} />
    </div>
  );
}

const GROUPINGS = ["lane", "assignee", "priority", "epic", "sprint", "label"] as const;
