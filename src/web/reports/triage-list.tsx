import { ArrowUpRight } from "lucide-react";
import type { KeyboardEvent } from "react";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { Button } from "../kit/button.tsx";
import type { MenuEntry } from "../kit/menu-entry.ts";
import { SelectionBar } from "../lists/selection-bar.tsx";
import type { DropEdge } from "../lists/use-drop-target.ts";
import { VirtualList } from "../lists/virtual-list.tsx";
import { VIEW_WORDS } from "./report-views.ts";
import { TriageRow } from "./triage-row.tsx";
import type { Triage } from "./use-triage.ts";

type Props = {
  project: Project;
  triage: Triage;
  menu: (report: Report) => readonly MenuEntry[];
  mayUpdate: boolean;
  onPromote: () => void;
};

/** The reports of the view, and what can be done with those that are ticked. */
export function TriageList({ project, triage, menu, mayUpdate, onPromote }: Props) {
  const { view, viewText, query, shown, selection, active, authorOf } = triage;
  const ticked = new Set(selection.map(({ id }) => id));
  const search = {
    ...(viewText === undefined ? {} : { view: viewText }),
    ...(query === "" ? {} : { query }),
  };
  const changeable = mayUpdate && view === "active";
  const onDropped = (id: number, edge: DropEdge, target: number) => triage.move(id, { edge, id: target });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    triage.step(event.key === "ArrowDown" ? 1 : -1);
  };
  return (
    <>
      <VirtualList
        handle={triage.list}
        label={`${VIEW_WORDS[view]} reports`}
        items={shown}
        itemKey={({ id }) => id}
        rowHeight={64}
        activeIndex={triage.activeIndex}
        onActiveChange={(index) => triage.setFocused(shown[index]?.id ?? null)}
        renderRow={(report, _index, row) => (
          <TriageRow
            report={report}
            view={view}
            projectKey={project.key}
            search={search}
            author={authorOf(report)}
            current={report.id === active?.id}
            selected={ticked.has(report.id)}
            onSelect={changeable ? triage.tick : undefined}
            onDropped={changeable ? onDropped : undefined}
            onKeyDown={onKeyDown}
            menu={menu(report)}
            row={row}
          />
        )}
      />
      <SelectionBar count={selection.length} noun="report" onClear={triage.untick}>
        <Button icon={ArrowUpRight} variant="primary" shortcut="e" onClick={onPromote}>
          {selection.length === 1 ? "Promote" : `Promote ${selection.length} as one issue`}
        </Button>
      </SelectionBar>
    </>
  );
}
