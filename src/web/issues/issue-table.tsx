import { type ReactNode, Suspense, useMemo } from "react";
import type { Issue } from "../../shared/issues.ts";
import { can, useProjects } from "../data/projects/projects.ts";
import { lazyPart } from "../kit/lazy-part.tsx";
import { Skeleton } from "../kit/skeleton.tsx";
import { SplitView } from "../lists/split-view.tsx";
import { useLatest } from "../lists/use-latest.ts";
import { type ListRowProps, VirtualList } from "../lists/virtual-list.tsx";
import { isBlocked } from "./blocked.ts";
import { IssueRow, type RowActions } from "./issue-row.tsx";
import type { Grouping } from "./issue-groups.ts";
import { type ListEntry, entriesOf } from "./list-entries.ts";
import { QuickPick } from "./lazy-quick-pick.tsx";
import { SelectionActions } from "./selection-actions.tsx";
import { useIssueList } from "./use-issue-list.ts";
import type { IssueNames } from "../data/projects/use-issue-names.ts";

const IssuePeek = lazyPart(async () => (await import("./issue-peek.tsx")).IssuePeek);

type Props = {
  label: string;
  /** Filtered and sorted. */
  issues: readonly Issue[];
  /** `issues`, and those that may block them. */
  byId: ReadonlyMap<number, Issue>;
  grouping: Grouping | undefined;
  issueNames: IssueNames;
  peek: string | undefined;
  onPeek: (key: string | undefined) => void;
  hideAssignee?: boolean;
  /** Which time the rows show: the one by which they are sorted, if there is one. */
  time?: "created_at" | "updated_at";
  /** Shown if there are no issues. */
  empty: ReactNode;
};

/** A list of issues in groups, with keys, selection, pickers on the cells, and a preview beside it. */
export function IssueTable({
  label,
  issues,
  byId,
  grouping,
  issueNames,
  peek,
  onPeek,
  hideAssignee = false,
  time = "updated_at",
  empty,
}: Props) {
  const { mayUpdate, mayDelete, projectKey } = useIssueProjects();
  const entries = useMemo(() => entriesOf(issues, grouping, issueNames), [issues, grouping, issueNames]);
  const peeked = useMemo(
    () => (peek === undefined ? undefined : [...byId.values()].find(({ key }) => key === peek)),
    [byId, peek],
  );
  const list = useIssueList({ entries, mayUpdate, projectKey, peeked, onPeek });

  // Next and previous on the page of an issue follow this list as it is now.
  const from = useMemo(() => ({ issueKeys: list.rows.map(({ key }) => key) }), [list.rows]);
  const actions = useLatest<RowActions>({
    onToggle: (issue, range) => list.toggle(issue.id, range),
    onPick: (field, issue, anchor) => list.openPick(field, anchor, [issue]),
  });
  const renderRow = (entry: ListEntry, row: ListRowProps) =>
    entry.kind === "group" ? (
      <GroupHeading name={entry.name} count={entry.count} />
    ) : (
      <IssueRow
        issue={entry.issue}
        projectKey={projectKey(entry.issue)}
        issueNames={issueNames}
        row={row}
        current={entry.issue.id === list.current?.id}
        selected={list.isSelected(entry.issue.id)}
        blocked={isBlocked(entry.issue, byId)}
        editable={mayUpdate(entry.issue)}
        hideAssignee={hideAssignee}
        time={time}
        actions={actions}
        from={from}
      />
    );

  return (
    <>
      <SplitView
        label="Preview"
        opened={peeked?.key}
        list={
          issues.length === 0 ? (
            <NoIssues>{empty}</NoIssues>
          ) : (
            <VirtualList
              label={label}
              items={entries}
              itemKey={entryKey}
              lines={1}
              kind="issue"
              list={list}
              renderRow={renderRow}
              className="@container bg-surface"
            />
          )
        }
        preview={
          peeked === undefined ? null : (
            <Suspense fallback={<Skeleton rows={6} />}>
              <IssuePeek
                issue={peeked}
                projectKey={projectKey(peeked)}
                {...{ issueNames, from }}
                onClose={list.close}
              />
            </Suspense>
          )
        }
      />
      <SelectionActions list={list} mayDelete={mayDelete} />
      {list.pick && <QuickPick pick={list.pick} onChange={list.change} onClose={list.closePick} />}
    </>
  );
}

const entryKey = (entry: ListEntry) => entry.key;

/** What the user may do with issues of several projects. */
function useIssueProjects() {
  const projects = useProjects();
  return useMemo(() => {
    const byId = new Map(projects.map((project) => [project.id, project]));
    const may = (permission: Parameters<typeof can>[1]) => (issue: Issue) => {
      const project = byId.get(issue.project_id);
      return project !== undefined && can(project, permission);
    };
    return {
      mayUpdate: may("issues:update"),
      mayDelete: may("issues:delete"),
      projectKey: (issue: Issue) => byId.get(issue.project_id)?.key ?? String(issue.project_id),
    };
  }, [projects]);
}

function NoIssues({ children }: { children: ReactNode }) {
  return (
    <div id="issues-empty" tabIndex={-1} className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      {children}
    </div>
  );
}

function GroupHeading({ name, count }: { name: string; count: number }) {
  return (
    <div className="flex h-(--row-1) items-center gap-2 border-b border-line bg-canvas px-4">
      <h2 dir="auto" className="truncate font-semibold" title={name}>
        {name}
      </h2>
      <span className="text-sm text-text-3">{count}</span>
    </div>
  );
}
