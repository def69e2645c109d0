import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Lane } from "../../../shared/lanes.ts";
import type { Project } from "../../../shared/projects.ts";
import { projectLanes } from "../../data/projects/project-parts.ts";
import { Field } from "../../kit/field.tsx";
import { announce } from "../../kit/notices/live-region.ts";
import { Select } from "../../kit/select.tsx";
import { Spinner } from "../../kit/spinner.tsx";
import { can } from "../../data/projects/projects.ts";
import { errorOf, FormDialog } from "../../forms/form-dialog.tsx";
import { laneCountQuery } from "../../data/projects/project-settings.ts";
import { useSend } from "../../forms/use-send.ts";

type Props = { project: Project; lane: Lane; lanes: readonly Lane[]; onClose: () => void };

/** Deletes a lane after moving its issues to another. */
export function DeleteLaneDialog({ project, lane, lanes, onClose }: Props) {
  const mayCount = can(project, "issues:read");
  const { data: inside, isPending } = useQuery({
    ...laneCountQuery(project.id, lane.id),
    enabled: mayCount,
  });
  const others = lanes.filter(({ id }) => id !== lane.id);
  const next = others.find(({ kind }) => kind === lane.kind) ?? others[0];
  const [chosenLane, setMoveTo] = useState<number>();
  const moveTo = chosenLane ?? next?.id;
  const isEmpty = inside?.count === 0;
  const remove = useSend({
    send: () => projectLanes.delete(project.id, lane.id, isEmpty ? undefined : moveTo),
    stale: [
      ["lane", project.id],
      ["issue", project.id],
    ],
    onDone: () => {
      onClose();
      announce(`Lane ${lane.name} deleted`);
    },
  });
  const waits = mayCount && isPending;
  const count = inside && `${inside.isMore ? "more than " : ""}${inside.count}`;
  return (
    <FormDialog
      title={`Delete ${lane.name}?`}
      submit="Delete lane"
      danger
      size="sm"
      disabled={waits}
      busy={remove.isPending}
      error={remove.error}
      fields={["move_to"]}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      {waits ? (
        <Spinner label="Counting issues" />
      ) : isEmpty ? (
        <p className="text-text-2">It has no issues.</p>
      ) : (
        <Field
          label={
            count === undefined
              ? "Move its issues to"
              : `Move its ${count} ${inside?.count === 1 ? "issue" : "issues"} to`
          }
          hint="They are added to the end of the lane in their current order."
          error={errorOf(remove.error, "move_to")}
        >
          <Select
            value={String(moveTo)}
            onChange={(next) => setMoveTo(Number(next))}
            options={others.map(({ id, name }) => ({ value: String(id), label: name }))}
          />
        </Field>
      )}
    </FormDialog>
  );
}
