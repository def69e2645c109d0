import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Deletion } from "../../shared/deletions.ts";
import { restoreDeletion } from "../data/projects/change-workspace.ts";
import { deletionsQuery } from "../data/projects/workspaces.ts";
import { Panel, PanelList, PanelRow, TwoLines } from "../forms/panel.tsx";
import { useSend } from "../forms/use-send.ts";
import { Button } from "../kit/button.tsx";
import { exactCount } from "../kit/count-text.ts";
import { Time } from "../kit/dates/time.tsx";
import { toast } from "../kit/notices/toast.ts";

/** Deleted projects and workspaces whose data is not gone yet. Shows nothing if there are none. */
export function DeletionsPanel() {
  const { data = [] } = useQuery(deletionsQuery);
  const unfinished = data.filter(({ finished_at }) => finished_at === null);
  if (unfinished.length === 0) return null;
  return (
    <Panel
      title="Recently deleted"
      lead="Nobody can see these anymore. They can be restored for 24 hours; then their data is deleted, which takes a while if it is large."
    >
      <PanelList label="Recently deleted">
        {unfinished.map((deletion) => (
          <PanelRow
            key={deletion.id}
            end={
              deletion.restorable_until === null ? (
                <Progress deletion={deletion} />
              ) : (
                <Restore deletion={deletion} until={deletion.restorable_until} />
              )
            }
          >
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

function Restore({ deletion: { id, name }, until }: { deletion: Deletion; until: string }) {
  const client = useQueryClient();
  const restore = useSend({
    mutationKey: ["project"],
    send: () => restoreDeletion(id),
    stale: [],
    failed: `${name} could not be restored`,
    onDone: async () => {
      await client.invalidateQueries();
      toast({ title: `${name} restored` });
    },
  });
  return (
    <>
      <span className="text-text-3 text-sm">
        Deleted for good <Time at={until} />
      </span>
      <Button busy={restore.isPending} aria-label={`Restore ${name}`} onClick={() => restore.mutate()}>
        Restore
      </Button>
    </>
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
