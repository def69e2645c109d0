import type { Lane, LaneKind } from "../../../shared/lanes.ts";
import type { Project } from "../../../shared/projects.ts";
import { Field } from "../../kit/field.tsx";
import { Input } from "../../kit/input.tsx";
import { LANE_KIND_WORDS } from "../../marks/lane-mark.tsx";
import { RadioGroup } from "../../kit/radio-group.tsx";
import { errorOf } from "../../forms/form-dialog.tsx";
import { NamedDialog } from "./named-dialog.tsx";
import { projectLanes } from "../../data/projects/project-parts.ts";

const HINTS: Record<LaneKind, string> = {
  backlog: "Not planned yet.",
  todo: "Planned, but not started.",
  doing: "Being worked on.",
  done: "Issues in it are closed.",
};

const KINDS = Object.entries(LANE_KIND_WORDS).map(([value, label]) => ({
  value: value as LaneKind,
  label,
  hint: HINTS[value as LaneKind],
}));

type Props = { project: Project; lane?: Lane; onClose: () => void };
type Fields = Pick<Lane, "name" | "kind" | "wip_limit">;

/** Creates a lane at the right end, or changes a lane's name and kind. */
export function LaneDialog({ project, lane, onClose }: Props) {
  const { name = "", kind: first = "todo", wip_limit = null } = lane ?? {};
  return (
    <NamedDialog<Fields>
      what="lane"
      projectId={project.id}
      parts={projectLanes}
      thing={lane}
      start={{ name, kind: first, wip_limit }}
      stale={[
        ["lane", project.id],
        ["issue", project.id],
      ]}
      onClose={onClose}
    >
      {({ fields: { kind, wip_limit: limit }, change, error }) => (
        <>
          <RadioGroup
            label="Kind"
            options={KINDS}
            value={kind}
            onChange={(next) => change({ kind: next })}
            error={errorOf(error, "kind")}
          />
          <Field
            label="Limit"
            optional
            hint="The board warns when the lane has more issues than this."
            error={errorOf(error, "wip_limit")}
          >
            <Input
              type="number"
              inputMode="numeric"
              min={1}
              max={1_000}
              value={limit ?? ""}
              onChange={({ target }) =>
                change({ wip_limit: target.value === "" ? null : target.valueAsNumber })
              }
              className="max-w-32"
            />
          </Field>
          {lane && lane.kind !== kind && (lane.kind === "done" || kind === "done") && (
            <p className="text-text-2">
              {kind === "done"
                ? "The issues in this lane will be closed."
                : "The issues in this lane will be reopened."}
            </p>
          )}
        </>
      )}
    </NamedDialog>
  );
}
