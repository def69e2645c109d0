import { useQuery } from "@tanstack/react-query";
import { CircleUser, Plus } from "lucide-react";
import { useMemo } from "react";
import { openDialog } from "../page/open-dialog.ts";
import { QueryError } from "../page/query-error.tsx";
import { useCurrentProject } from "../data/projects/use-current-project.ts";
import { can } from "../data/projects/projects.ts";
import { useProfile } from "../data/account/session.ts";
import { Button } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { SharedFilterBar, TextFilter } from "./filter-bar.tsx";
import { isFiltered } from "./issue-filters.ts";
import { asGrouping } from "./issue-groups.ts";
import { IssueTable } from "./issue-table.tsx";
import { issuesQuery } from "../data/issues/issues.ts";
import { ViewsMenu } from "../views/views-menu.tsx";
import { StateTabs } from "./state-tabs.tsx";
import { useIssueNamesOf } from "../data/projects/use-issue-names.ts";
import { useShownIssues } from "./use-shown-issues.ts";
import { type Search, useView } from "./use-view.ts";
import { useBlockers } from "./use-blockers.ts";
import { ViewControls } from "./view-controls.tsx";

/** The issues assigned to the user, in all projects. */
export function MyIssuesPage() {
  const me = useProfile().id;
  const { search, set, clear } = useView();
  const query = useQuery(issuesQuery(null, { assignee_id: "me" }));
  const project = useCurrentProject();
  const { data } = query;
  // A reassigned issue disappears at once instead of with the next response.
  const mine = useMemo(() => data?.filter(({ assignee_id }) => assignee_id === me), [data, me]);
  const projectIds = useMemo(() => [...new Set(mine?.map(({ project_id }) => project_id))], [mine]);
  const issueNames = useIssueNamesOf(projectIds);
  const { matching, shown, sort } = useShownIssues(mine, search);
  const byId = useBlockers(mine);
  // Keep showing cached data if a refetch fails.
  if (query.isError && data === undefined)
    return (
      <>
        <PageHeader title="My issues" />
        <QueryError error={query.error} retry={() => void query.refetch()} />
      </>
    );
  return (
    <div className="flex h-[calc(100dvh-48px-var(--messages,0px))] min-h-0 flex-col md:h-[calc(100dvh-var(--messages,0px))] short:h-auto">
      <PageHeader
        title="My issues"
        actions={project !== undefined && can(project, "issues:create") && <NewIssueButton />}
        tabs={<StateTabs search={search} issues={matching} />}
        tools={
          <>
            <TextFilter search={search} set={set} />
            <SharedFilterBar search={search} set={set} clear={clear} />
            <ViewControls groupings={["project", "priority"]} search={search} set={set} />
            <ViewsMenu page="my-issues" project={null} search={search} />
          </>
        }
      />
      {mine === undefined ? (
        <Skeleton rows={12} label="Loading your issues" />
      ) : (
        <IssueTable
          label="My issues"
          issues={shown}
          byId={byId}
          grouping={asGrouping(search["group"])}
          time={sort === "created" ? "created_at" : "updated_at"}
          issueNames={issueNames}
          peek={search["peek"]}
          onPeek={(peek) => set({ peek })}
          hideAssignee
          empty={<NoIssues search={search} onClear={clear} />}
        />
      )}
    </div>
  );
}

function NoIssues({ search, onClear }: { search: Search; onClear: () => void }) {
  if (isFiltered(search))
    return (
      <EmptyState
        icon={CircleUser}
        title="No matching issues"
        text="None of your issues match these filters."
        action={<Button onClick={onClear}>Clear filters</Button>}
      />
    );
  const isClosed = search["state"] === "closed";
  return (
    <EmptyState
      drawing="issues"
      title={isClosed ? "You haven’t closed any issues yet" : "No issues assigned to you"}
      text="Issues assigned to you in any project appear here."
    />
  );
}

function NewIssueButton() {
  return (
    <Button icon={Plus} shortcut="c" onClick={() => openDialog({ kind: "new-issue" })}>
      New issue
    </Button>
  );
}
