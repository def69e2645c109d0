import { Plus } from "lucide-react";
import { useMemo } from "react";
import type { Issue } from "../../shared/issues.ts";
import type { Project } from "../../shared/projects.ts";
import { openDialog } from "../page/open-dialog.ts";
import { sortIssues } from "../issues/issue-groups.ts";
import { IssueTable } from "../issues/issue-table.tsx";
import { useIssueNames } from "../data/projects/use-issue-names.ts";
import { useView } from "../issues/use-view.ts";
import { useBlockers } from "../issues/use-blockers.ts";
import { can, useProject } from "../data/projects/projects.ts";
import { Button } from "../kit/button.tsx";
import { EmptyState } from "../kit/empty-state.tsx";
import { AddIssue } from "./add-issue.tsx";
import { AttachedSkeleton, heightOf } from "./attached-skeleton.tsx";
import type { LaneCounts } from "./lane-counts.ts";

/** Room for the preview. */
const PEEK_HEIGHT = 480;

type Props = {
  issues: readonly Issue[] | undefined;
  /** For the placeholder. */
  counts?: LaneCounts;
  to: { epic_id: number } | { sprint_id: number };
  /** Whether issues can be added: not to a done epic or a closed sprint. */
  open: boolean;
};

/** The issues of an epic or a sprint, by lane: the list of issues itself, with its keys and pickers. */
export function AttachedIssues({ issues, counts, to, open }: Props) {
  const project = useProject();
  const all = useIssueNames(project.id);
  // All rows share the epic or sprint, so the rows do not repeat it.
  const inEpic = "epic_id" in to;
  const issueNames = useMemo(
    () => ({ ...all, ...(inEpic ? { epicTitle: nothing } : { sprintName: nothing }) }),
    [all, inEpic],
  );
  const { search, set } = useView();
  const peek = search["peek"];
  const sorted = useMemo(() => sortIssues(issues ?? [], "priority"), [issues]);
  const byId = useBlockers(issues);
  const lines = sorted.length + new Set(sorted.map(({ lane_id }) => lane_id)).size;
  const height = heightOf(lines, peek === undefined ? undefined : PEEK_HEIGHT);
  const add = open && <AddButtons project={project} to={to} />;
  return (
    <section aria-labelledby="attached" className="flex min-w-0 flex-col gap-2">
      <div className="flex min-h-7 flex-wrap items-center gap-2">
        <h2 id="attached" className="flex-1 font-semibold">
          Issues {issues && <span className="font-normal text-text-3">{issues.length}</span>}
        </h2>
        {issues?.length !== 0 && add}
      </div>
      {issues === undefined ? (
        <AttachedSkeleton counts={counts} />
      ) : (
        <div className="overflow-hidden rounded-md border border-line bg-surface">
          {issues.length === 0 && (
            <EmptyState
              title="No issues yet"
              text={open ? "Create an issue, or add an existing one." : "No issues were added."}
              action={add}
            />
          )}
          {sorted.length > 0 && (
            <div className="flex flex-col" style={{ height }}>
              <IssueTable
                label="Issues"
                issues={sorted}
                byId={byId}
                grouping="lane"
                issueNames={issueNames}
                peek={peek}
                onPeek={(key) => set({ peek: key })}
                empty={null}
              />
            </div>
          )}
        </div>
      )}
    </section>
  );
}

function AddButtons({ project, to }: { project: Project; to: Props["to"] }) {
  const start = "epic_id" in to ? { epicId: to.epic_id } : { sprintId: to.sprint_id };
  return (
    <>
      {can(project, "issues:update") && <AddIssue project={project} to={to} />}
      {can(project, "issues:create") && (
        <Button size="sm" icon={Plus} onClick={() => openDialog({ kind: "new-issue", ...start })}>
          New issue
        </Button>
      )}
    </>
  );
}

const nothing = () => undefined;
