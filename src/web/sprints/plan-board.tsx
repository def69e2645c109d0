import type { Issue } from "../../shared/issues.ts";
import type { Sprint } from "../../shared/sprints.ts";
import { useAutoScroll } from "../board/use-auto-scroll.ts";
import { useProject } from "../data/projects/projects.ts";
import type { IssueNames } from "../data/projects/use-issue-names.ts";
import { Button } from "../kit/button.tsx";
import { SelectionBar } from "../lists/selection-bar.tsx";
import { useRegionHandle } from "../lists/use-region-handle.ts";
import { type Measure, sizeOfAll, sizeText } from "./measure.ts";
import { PlanList } from "./plan-list.tsx";
import { PLANNED, PlanRow } from "./plan-row.tsx";
import { type PlanBoardState, usePlanBoard } from "./use-plan-board.ts";
import type { Side } from "./use-plan-lift.ts";

type Props = {
  sprint: Sprint;
  /** Both in the order of the board. */
  backlog: readonly Issue[];
  planned: readonly Issue[];
  issueNames: IssueNames;
  measure: Measure;
  movable: boolean;
};

/** The two lists. Issues move between them by drag, by Space and arrows, by selection, and by the button of a row. */
export function PlanBoard({ sprint, backlog, planned, issueNames, measure, movable }: Props) {
  const board = usePlanBoard({ sprint, issuesOf: { backlog, sprint: planned }, movable });
  const region = useRegionHandle(board.list.handle);
  useAutoScroll(PLANNED);
  const shared = { sprint, board, issueNames, measure, movable };
  return (
    <>
      <div
        ref={region}
        className="grid min-h-0 flex-1 gap-4 px-4 pb-4 md:auto-rows-[minmax(0,1fr)] md:grid-cols-2 short:flex-none"
      >
        <PlanSide {...shared} side="backlog" empty="No open issues without a sprint." />
        <PlanSide
          {...shared}
          side="sprint"
          empty={movable ? "Drag issues here, or use their arrow button." : "No issues yet."}
        />
      </div>
      <SelectedIssues sprint={sprint} board={board} />
    </>
  );
}

type SideProps = Pick<Props, "sprint" | "issueNames" | "measure" | "movable"> & {
  board: PlanBoardState;
  side: Side;
  empty: string;
};

function PlanSide({ sprint, board, issueNames, measure, movable, side, empty }: SideProps) {
  const project = useProject();
  const { list } = board;
  return (
    <PlanList
      name={board.names[side]}
      sums={<Sums issues={board.issuesOf[side]} measure={measure} />}
      issues={board.shown(side)}
      empty={empty}
      onDrop={(id) => board.drop(id, side)}
      renderRow={(issue) => (
        <PlanRow
          key={issue.id}
          issue={issue}
          projectKey={project.key}
          issueNames={issueNames}
          side={side}
          sprintName={sprint.name}
          current={list.current?.id === issue.id}
          selected={list.isSelected(issue.id)}
          lifted={board.isLifted(issue)}
          tabbable={list.tabStop === issue.id}
          movable={movable}
          onFocus={() => list.setCursor(issue.id)}
          onBlur={() => board.onBlur(issue.id)}
          onKeyDown={(event) => board.onKeyDown(issue, event)}
          onToggle={(range) => list.toggle(issue.id, range)}
          onMove={() => board.move([issue], side === "backlog" ? "sprint" : "backlog")}
        />
      )}
    />
  );
}

function Sums({ issues, measure }: { issues: readonly Issue[]; measure: Measure }) {
  return (
    <>
      {issues.length}
      <span className="sr-only"> issues</span>
      {measure === "minutes" && ` · ${sizeText(sizeOfAll(issues, measure), measure)}`}
    </>
  );
}

function SelectedIssues({ sprint, board }: { sprint: Sprint; board: PlanBoardState }) {
  const { list, sideOf } = board;
  const { selected } = list;
  return (
    <SelectionBar count={selected.length} noun="issue" onClear={list.clearSelection}>
      {selected.some((issue) => sideOf(issue) === "backlog") && (
        <Button size="sm" onClick={() => board.move(selected, "sprint")}>{`Add to ${sprint.name}`}</Button>
      )}
      {selected.some((issue) => sideOf(issue) === "sprint") && (
        <Button size="sm" onClick={() => board.move(selected, "backlog")}>
          Move to the backlog
        </Button>
      )}
    </SelectionBar>
  );
}
