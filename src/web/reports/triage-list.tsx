import { ArrowUpRight, EyeOff } from "lucide-react";
import type { Project } from "../../shared/projects.ts";
import type { Report } from "../../shared/reports.ts";
import { Button } from "../kit/button.tsx";
import type { MenuEntry } from "../kit/menu-entry.ts";
import { SelectionBar } from "../lists/selection-bar.tsx";
import { useLatest } from "../lists/use-latest.ts";
import { VirtualList } from "../lists/virtual-list.tsx";
import { VIEW_LABELS } from "./report-views.ts";
import type { ReportDialogs } from "./use-report-dialogs.tsx";
import { type RowActions, TriageRow } from "./triage-row.tsx";
import type { Triage } from "./use-triage.ts";

type Props = {
  project: Project;
  triage: Triage;
  menu: (report: Report) => readonly MenuEntry[];
  mayUpdate: boolean;
  dialogs: ReportDialogs;
};

/** The reports of the view, and the actions for the selected ones. */
export function TriageList({ project, triage, menu, mayUpdate, dialogs }: Props) {
  const { view, shown, selected, list, authorOf, search } = triage;
  const changeable = mayUpdate && view === "active";
  const actions = useLatest<RowActions>({
    onToggle: list.toggle,
    onDropped: (id, edge, target) => triage.move(id, { edge, id: target }),
    menu,
  });
  return (
    <>
      <VirtualList
        label={`${VIEW_LABELS[view]} reports`}
        items={shown}
        itemKey={idOf}
        lines={2}
        kind="report"
        list={list}
        renderRow={(report, row) => (
          <TriageRow
            report={report}
            view={view}
            projectKey={project.key}
            search={search}
            author={authorOf(report)}
            current={report.id === list.current?.id}
            oldest={report.id === triage.oldest}
            selected={changeable && list.isSelected(report.id)}
            changeable={changeable}
            movable={changeable && triage.isOrderable}
            actions={actions}
            row={row}
          />
        )}
      />
      <SelectionBar count={selected.length} noun="report" onClear={list.clearSelection}>
        <Button icon={ArrowUpRight} variant="primary" shortcut="e" onClick={() => dialogs.promote(selected)}>
          {selected.length === 1 ? (
            "Promote"
          ) : (
            <span>
              Promote
              {/* A phone shows the number beside the button. */}
              <span className="@max-[420px]:sr-only">{` ${selected.length}`}</span>
              <span className="@max-[600px]:sr-only"> as one issue</span>
            </span>
          )}
        </Button>
        <Button icon={EyeOff} shortcut="h" onClick={() => dialogs.dismiss(selected)}>
          Dismiss
        </Button>
        {selected.length < shown.length && (
          <SelectAll count={shown.length} onSelect={() => list.select(shown)} />
        )}
      </SelectionBar>
    </>
  );
}

function SelectAll({ count, onSelect }: { count: number; onSelect: () => void }) {
  return (
    <Button variant="quiet" aria-label={`Select all ${count}`} onClick={onSelect}>
      <span>
        <span className="@max-[420px]:hidden">Select all</span>
        <span className="hidden @max-[420px]:inline">All</span>
        {` ${count}`}
      </span>
    </Button>
  );
}

const idOf = ({ id }: Report) => id;
