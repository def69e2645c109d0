import { useQuery } from "@tanstack/react-query";
import { Plus, SquareKanban } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import type { Issue } from "../../shared/issues.ts";
import type { Lane } from "../../shared/lanes.ts";
import { openDialog } from "../page/open-dialog.ts";
import { ProjectCrumb } from "../page/project-crumb.tsx";
import { QueryError } from "../page/query-error.tsx";
import { FilterBar, TextFilter } from "../issues/filter-bar.tsx";
import { isFiltered, matcher } from "../issues/issue-filters.ts";
import { TooManyIssues } from "../issues/too-many-issues.tsx";
import { allIssuesQuery, byRank } from "../data/issues/issues.ts";
import { useIssueNames } from "../data/projects/use-issue-names.ts";
import { useView } from "../issues/use-view.ts";
import { lanesQuery } from "../data/projects/lanes.ts";
import { can, useProject } from "../data/projects/projects.ts";
import { useProfile } from "../data/account/session.ts";
import { Button } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { FilterSelect } from "../kit/filter-select.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { useToday } from "../kit/dates/time.tsx";
import { SINGLE_SWIM, type Grouping } from "./board-cells.ts";
import { Board } from "./board.tsx";
import { BoardSkeleton } from "./board-skeleton.tsx";
import { fieldsFromFilters } from "./fields-from-filters.ts";
import { ViewsMenu } from "../views/views-menu.tsx";
import { filledSwims, swimsOf } from "./swims.ts";

/** The project's lanes side by side. Filters and grouping are stored in the address. */
export function BoardPage() {
  const project = useProject();
  const { search, set, clear } = useView();
  const issuesRead = useQuery(allIssuesQuery(project.id));
  const lanesRead = useQuery(lanesQuery(project.id));
  const issues = useMemo(() => issuesRead.data?.toSorted(byRank), [issuesRead.data]);
  const lanes = lanesRead.data;

  const crumbs = [<ProjectCrumb key="project" project={project} />];
  // Keep showing cached data if a refetch fails.
  const failed = [issuesRead, lanesRead].find(({ isError, data }) => isError && data === undefined)?.error;
  if (failed)
    return (
      <>
        <PageHeader title="Board" crumbs={crumbs} />
        <QueryError
          error={failed}
          retry={() => void Promise.all([issuesRead.refetch(), lanesRead.refetch()])}
        />
      </>
    );
  return (
    <div className="flex h-[calc(100dvh-48px-var(--messages,0px))] min-h-0 flex-col md:h-[calc(100dvh-var(--messages,0px))] short:h-auto">
      <PageHeader
        title="Board"
        crumbs={crumbs}
        actions={
          <>
            <ViewsMenu page="board" project={project} search={search} />
            {can(project, "issues:create") && (
              <Button
                variant="primary"
                icon={Plus}
                shortcut="c"
                onClick={() => openDialog({ kind: "new-issue" })}
              >
                New issue
              </Button>
            )}
          </>
        }
        tabs={<TextFilter search={search} set={set} />}
        tools={
          <>
            <FilterBar projectId={project.id} search={search} set={set} clear={clear} />
            <FilterSelect
              label="Group by"
              none="No grouping"
              value={groupingIn(search) ?? ""}
              choices={GROUPS}
              onChange={(group) => set({ group })}
            />
          </>
        }
      />
      <FilteredBoard issues={issues} lanes={lanes} search={search} clear={clear} />
      <TooManyIssues shown={issues?.length} />
    </div>
  );
}

type Search = ReturnType<typeof useView>["search"];

const groupingIn = ({ group }: Search): Grouping | undefined =>
  group === "epic" || group === "assignee" ? group : undefined;

type Props = {
  /** By rank; undefined while they load. */
  issues: readonly Issue[] | undefined;
  lanes: readonly Lane[] | undefined;
  search: Search;
  clear: () => void;
};

function FilteredBoard({ issues, lanes, search, clear }: Props) {
  const project = useProject();
  const me = useProfile().id;
  const today = useToday();
  const issueNames = useIssueNames(project.id);
  // Rendering hundreds of cards must not delay the next key in the filter.
  const filters = useDeferredValue(search);
  const visible = useMemo(
    () => issues?.filter(matcher(filters, me, today)) ?? [],
    [issues, filters, me, today],
  );
  const grouping = groupingIn(search);
  const [showEmpty, setShowEmpty] = useState(false);
  const swims = useMemo(
    () => (grouping === undefined ? [SINGLE_SWIM] : swimsOf(grouping, issueNames, visible)),
    [grouping, visible, issueNames],
  );
  const filled = useMemo(() => filledSwims(swims), [swims]);
  const emptyCount = swims.length - filled.length;
  if (issues === undefined || lanes === undefined) return <BoardSkeleton />;
  if (issues.length > 0 && visible.length === 0 && isFiltered(filters))
    return (
      <EmptyState
        icon={SquareKanban}
        title="No matching issues"
        text="No issues match these filters."
        action={<Button onClick={clear}>Clear filters</Button>}
      />
    );
  return (
    <Board
      project={project}
      lanes={lanes}
      issues={issues}
      visible={visible}
      grouping={grouping}
      swims={showEmpty ? swims : filled}
      issueNames={issueNames}
      newFields={fieldsFromFilters(search, me)}
      footer={
        issues.length === 0 ? (
          <EmptyBoard />
        ) : (
          emptyCount > 0 && <EmptyGroupsSwitch count={emptyCount} isOn={showEmpty} onChange={setShowEmpty} />
        )
      }
    />
  );
}

type SwitchProps = { count: number; isOn: boolean; onChange: (on: boolean) => void };

function EmptyGroupsSwitch({ count, isOn, onChange }: SwitchProps) {
  return (
    <Button
      size="sm"
      variant="quiet"
      className="sticky start-3 mt-3 self-start"
      aria-expanded={isOn}
      onClick={() => onChange(!isOn)}
    >
      {isOn ? "Hide empty groups" : `Show ${count} empty ${count === 1 ? "group" : "groups"}`}
    </Button>
  );
}

/** In the middle of what is visible, not of all lanes. */
function EmptyBoard() {
  return (
    <div className="max-md:sticky max-md:start-0 max-md:w-dvw max-md:self-start">
      <EmptyState
        drawing="board"
        title="No issues yet"
        text="Cards move from left to right as work proceeds. Add the first one to a lane."
      />
    </div>
  );
}

const GROUPS = [
  { value: "epic", label: "Epic" },
  { value: "assignee", label: "Assignee" },
];
