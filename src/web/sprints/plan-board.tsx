import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, useImperativeHandle, useMemo, useRef } from "react";
import type { Issue } from "../../shared/issues.ts";
import type { Sprint } from "../../shared/sprints.ts";
import { arrowTarget } from "../board/arrow-target.ts";
import { useAutoScroll } from "../board/use-auto-scroll.ts";
import { assignSprint } from "../data/issues/assign-sprint.ts";
import { useProject } from "../data/projects/projects.ts";
import type { IssueNames } from "../data/projects/use-issue-names.ts";
import { showFailure } from "../forms/show-failure.ts";
import { useCommand } from "../keys/commands.ts";
import { Button } from "../kit/button.tsx";
import { beginChange, toast } from "../kit/notices/toast.ts";
import { SelectionBar } from "../lists/selection-bar.tsx";
import { useList } from "../lists/use-list.ts";
import { useStepKeys } from "../lists/use-list-keys.ts";
import { type Measure, sizeOfAll, sizeText } from "./measure.ts";
import { PlanList } from "./plan-list.tsx";
import { PLANNED, PlanRow } from "./plan-row.tsx";
import { type Side, usePlanLift } from "./use-plan-lift.ts";

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
  const project = useProject();
  const client = useQueryClient();
  const names = { backlog: "Backlog", sprint: sprint.name };
  const rows = useMemo(() => [...backlog, ...planned], [backlog, planned]);
  const list = useList({ rows });
  const region = useRef<HTMLDivElement>(null);
  useImperativeHandle(list.handle, () => ({
    contains: (element) => region.current?.contains(element) ?? false,
    focusRow: (id, { scroll } = { scroll: true }) =>
      region.current?.querySelector<HTMLElement>(`[data-row="${id}"]`)?.focus({ preventScroll: !scroll }),
    scrollToTop: () => region.current?.scrollTo({ top: 0 }),
  }));
  useAutoScroll(PLANNED);

  const sideOf = ({ sprint_id }: Issue): Side => (sprint_id === sprint.id ? "sprint" : "backlog");
  const withSelected = (issue: Issue) => (list.isSelected(issue.id) ? list.selected : [issue]);
  const move = async (issues: readonly Issue[], to: Side) => {
    const moved = issues.filter((issue) => sideOf(issue) !== to);
    if (moved.length === 0) return;
    list.advancePast(
      moved.map(({ id }) => id),
      { stay: true },
    );
    const targets = { backlog: null, sprint: sprint.id };
    const what = moved.length === 1 ? (moved[0]?.key ?? "") : `${moved.length} issues`;
    const subjects = moved.map(({ id }) => `issue:${id}`);
    const assign = (sprintId: number | null) => assignSprint(client, project.id, moved, sprintId);
    const failed = (error: unknown) => showFailure(`${what} could not be moved`, error, subjects);
    const change = beginChange();
    try {
      await assign(targets[to]);
    } catch (error) {
      change.failed();
      return failed(error);
    }
    toast({
      title: to === "sprint" ? `${what} added to ${sprint.name}` : `${what} moved to the backlog`,
      subjects,
      change,
      undo: () => assign(targets[to === "sprint" ? "backlog" : "sprint"]).catch(failed),
    });
  };
  const moveIds = (ids: readonly number[], to: Side) =>
    void move(
      rows.filter(({ id }) => ids.includes(id)),
      to,
    );
  const drop = (id: number, to: Side) => {
    const issue = rows.find((row) => row.id === id);
    if (issue) void move(withSelected(issue), to);
  };

  const lift = usePlanLift({ names, sideOf, withSelected, onMove: moveIds });
  const isLifted = ({ id }: Issue) => lift.lifted?.ids.includes(id) ?? false;
  const shown = (side: Side): readonly Issue[] => {
    const own = side === "backlog" ? backlog : planned;
    if (lift.lifted === null) return own;
    const others = own.filter((issue) => !isLifted(issue));
    return lift.lifted.at === side && lift.lifted.from !== side
      ? [...rows.filter(isLifted), ...others]
      : lift.lifted.at === side
        ? own
        : others;
  };

  const select = (issue: Issue) => movable && list.toggle(issue.id);
  const onKeyDown = (issue: Issue, event: KeyboardEvent) => {
    if (movable) lift.onKeyDown(issue, event);
    if (event.defaultPrevented || event.target !== event.currentTarget) return;
    if (!event.key.startsWith("Arrow") || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const lists = (
      [
        ["backlog", backlog],
        ["sprint", planned],
      ] as const
    ).map(([side, own]) => ({
      id: side,
      name: names[side],
      items: own.map(({ id }) => String(id)),
    }));
    const target = rows.find(({ id }) => String(id) === arrowTarget(lists, String(issue.id), event.key));
    if (target === undefined) return;
    const isUpOrDown = event.key === "ArrowUp" || event.key === "ArrowDown";
    if (event.shiftKey && movable && isUpOrDown) list.select([...list.selected, issue, target]);
    list.moveTo(target.id);
  };
  useStepKeys(list, "issue");
  useCommand("select", () => list.current && select(list.current), {
    enabled: movable && list.current !== undefined,
  });
  useCommand("close", list.clearSelection, {
    label: "Clear selection",
    enabled: list.selected.length > 0 && lift.lifted === null,
  });

  const renderList = (side: Side, empty: string) => {
    const own = side === "backlog" ? backlog : planned;
    return (
      <PlanList
        name={names[side]}
        sums={
          <>
            {own.length}
            <span className="sr-only"> issues</span>
            {measure === "minutes" && ` · ${sizeText(sizeOfAll(own, measure), measure)}`}
          </>
        }
        issues={shown(side)}
        empty={empty}
        onDrop={(id) => drop(id, side)}
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
            lifted={isLifted(issue)}
            tabbable={list.tabStop === issue.id}
            movable={movable}
            onFocus={() => list.setCursor(issue.id)}
            onBlur={() => lift.onBlur(issue.id)}
            onKeyDown={(event) => onKeyDown(issue, event)}
            onToggle={(range) => list.toggle(issue.id, range)}
            onMove={() => void move([issue], side === "backlog" ? "sprint" : "backlog")}
          />
        )}
      />
    );
  };
  const { selected } = list;
  return (
    <>
      <div
        ref={region}
        className="grid min-h-0 flex-1 gap-4 px-4 pb-4 md:auto-rows-[minmax(0,1fr)] md:grid-cols-2 short:flex-none"
      >
        {renderList("backlog", "No open issues without a sprint.")}
        {renderList("sprint", movable ? "Drag issues here, or use their arrow button." : "No issues yet.")}
      </div>
      <SelectionBar count={selected.length} noun="issue" onClear={list.clearSelection}>
        {selected.some((issue) => sideOf(issue) === "backlog") && (
          <Button size="sm" onClick={() => void move(selected, "sprint")}>{`Add to ${sprint.name}`}</Button>
        )}
        {selected.some((issue) => sideOf(issue) === "sprint") && (
          <Button size="sm" onClick={() => void move(selected, "backlog")}>
            Move to the backlog
          </Button>
        )}
      </SelectionBar>
    </>
  );
}
