import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { Lane } from "../../../shared/lanes.ts";
import type { Project } from "../../../shared/projects.ts";
import { useCommand } from "../../keys/commands.ts";
import { lanesQuery } from "../../data/projects/lanes.ts";
import { Button } from "../../kit/button.tsx";
import { LANE_KIND_WORDS, LaneMark } from "../../marks/lane-mark.tsx";
import { announce } from "../../kit/notices/live-region.ts";
import { Sortable } from "../../lists/sortable.tsx";
import { can } from "../../data/projects/projects.ts";
import { DeleteLaneDialog } from "./delete-lane-dialog.tsx";
import { LaneDialog } from "./lane-dialog.tsx";
import { Loaded } from "../../forms/loaded.tsx";
import { Panel } from "../../forms/panel.tsx";
import { useMoveLane } from "../../data/projects/change-project-parts.ts";

type Opened = { kind: "add" } | { kind: "edit" | "delete"; lane: Lane } | undefined;

const laneId = (lane: Lane) => String(lane.id);
const laneName = (lane: Lane) => lane.name;

/** The board's lanes from left to right. */
export function LanesSection({ project }: { project: Project }) {
  const lanes = useQuery(lanesQuery(project.id));
  const [opened, setOpened] = useState<Opened>();
  const mayChange = can(project, "project:update");
  const move = useMoveLane(project.id, lanes.data ?? []);
  useMoveKeys(lanes.data ?? [], mayChange, move);
  const close = () => setOpened(undefined);
  return (
    <Panel
      title="Lanes"
      lead="The columns of the board, from left to right. New issues start in the first lane. Moving an issue to a Done lane closes it."
      actions={
        mayChange && (
          <Button variant="primary" icon={Plus} onClick={() => setOpened({ kind: "add" })}>
            Add lane
          </Button>
        )
      }
    >
      <Loaded query={lanes}>
        {(list) => (
          <div className="-mt-px [&_li:last-child]:border-b-0">
            <Sortable
              label="Lanes"
              items={list}
              itemId={laneId}
              itemLabel={laneName}
              disabled={!mayChange}
              onMove={move}
              menu={(lane) => [
                { label: "Edit lane", onSelect: () => setOpened({ kind: "edit", lane }) },
                {
                  label: "Delete lane",
                  danger: true,
                  disabled: list.length === 1,
                  onSelect: () => setOpened({ kind: "delete", lane }),
                },
                "separator",
              ]}
            >
              {(lane) => <LaneFacts lane={lane} />}
            </Sortable>
          </div>
        )}
      </Loaded>
      {opened?.kind === "add" && <LaneDialog project={project} onClose={close} />}
      {opened?.kind === "edit" && <LaneDialog project={project} lane={opened.lane} onClose={close} />}
      {opened?.kind === "delete" && (
        <DeleteLaneDialog project={project} lane={opened.lane} lanes={lanes.data ?? []} onClose={close} />
      )}
    </Panel>
  );
}

function LaneFacts({ lane }: { lane: Lane }) {
  return (
    <>
      <span className="flex min-w-0 flex-1" title={lane.name}>
        <LaneMark kind={lane.kind} name={lane.name} />
      </span>
      {lane.wip_limit !== null && (
        <span className="text-text-3 shrink-0 text-sm">{`Limit ${lane.wip_limit}`}</span>
      )}
      <span className="text-text-3 shrink-0 text-sm">{LANE_KIND_WORDS[lane.kind]}</span>
    </>
  );
}

/** Alt+↑ and Alt+↓ move the focused lane. */
function useMoveKeys(lanes: readonly Lane[], enabled: boolean, move: (id: string, index: number) => void) {
  const by = (step: number) => {
    const id = document.activeElement?.getAttribute("data-lift-id");
    const index = lanes.findIndex((lane) => String(lane.id) === id);
    const next = index + step;
    if (!id || index === -1 || next < 0 || next >= lanes.length) return;
    move(id, next);
    announce(`Moved to position ${next + 1} of ${lanes.length}.`);
  };
  useCommand("moveUp", () => by(-1), { label: "Move the lane up", enabled });
  useCommand("moveDown", () => by(1), { label: "Move the lane down", enabled });
}
