import { useQuery } from "@tanstack/react-query";
import type { Deletion } from "../../shared/deletions.ts";
import { deletionsQuery } from "../data/workspaces.ts";
import { Panel, PanelList, PanelRow, TwoLines } from "../forms/panel.tsx";
import { exactCount } from "../kit/count-text.ts";

/** The progress of projects and workspaces that are being deleted. Shows nothing if there are none. */
export function DeletionsPanel() {
  const { data = [] } = useQuery(deletionsQuery);
  const running = data.filter(({ finished_at }) => finished_at === null);
  if (running.length === 0) return null;
  return (
    <Panel
      title="Being deleted"
      lead="Nobody can see these anymore. Deleting large amounts of data takes a while and continues after a restart."
    >
      <PanelList label="Being deleted">
        {running.map((deletion) => (
          <PanelRow key={deletion.id} end={<Progress deletion={deletion} />}>
            <TwoLines
              title={deletion.name}
              text={deletion.kind === "project" ? `Project ${deletion.project_key}` : "Workspace"}
            />
          </PanelRow>
        ))}
      </PanelList>
    </Panel>
  );
}

function Progress({ deletion: { name, rows_deleted, rows_total } }: { deletion: Deletion }) {
  // Rows that were added while the deletion began are not in the total.
  const share = rows_total === null ? 0 : Math.min(1, rows_deleted / Math.max(1, rows_total));
  return (
    <>
      <div
        role="progressbar"
        aria-label={`Deleting ${name}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={rows_total === null ? undefined : Math.round(share * 100)}
        className="bg-sunken h-1 w-32 overflow-hidden rounded-full forced-colors:border"
      >
        <div className="bg-accent h-full forced-colors:bg-[Highlight]" style={{ width: `${share * 100}%` }} />
      </div>
      <span className="text-text-3 text-sm tabular-nums">
        {rows_total === null
          ? "Counting…"
          : `${exactCount(Math.min(rows_deleted, rows_total))} of ${exactCount(rows_total)} rows`}
      </span>
    </>
  );
}
