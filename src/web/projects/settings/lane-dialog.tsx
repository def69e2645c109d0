import { useState } from "react";
import type { Lane, LaneKind } from "../../../shared/lanes.ts";
import type { Project } from "../../../shared/projects.ts";
import { api } from "../../api/client.ts";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { LANE_KIND_WORDS } from "../../ui/lane-mark.tsx";
import { RadioGroup } from "../../ui/radio-group.tsx";
import { errorOf, FormDialog } from "./form-dialog.tsx";
import { useSend } from "./use-send.ts";

const HINTS: Record<LaneKind, string> = {
  backlog: "Perhaps later.",
  todo: "Decided, not begun.",
  doing: "Somebody is at it.",
  done: "Issues in it are closed.",
};

const KINDS = Object.entries(LANE_KIND_WORDS).map(([value, label]) => ({
  value: value as LaneKind,
  label,
  hint: HINTS[value as LaneKind],
}));

/** A new lane, at the right end; or another name and kind for one. */
export function LaneDialog({
  project,
  lane,
  onClose,
}: {
  project: Project;
  lane?: Lane;
  onClose: () => void;
}) {
  const [name, setName] = useState(lane?.name ?? "");
  const [kind, setKind] = useState<LaneKind>(lane?.kind ?? "todo");
  const path = `/api/projects/${project.id}/lanes`;
  const save = useSend({
    send: () => (lane ? api.patch(`${path}/${lane.id}`, { name, kind }) : api.post(path, { name, kind })),
    stale: [
      ["lane", project.id],
      ["issue", project.id],
    ],
    onDone: onClose,
  });
  return (
    <FormDialog
      title={lane ? `Edit ${lane.name}` : "Add lane"}
      submit={lane ? "Save" : "Add"}
      busy={save.isPending}
      dirty={name !== (lane?.name ?? "")}
      error={save.error}
      fields={["name", "kind"]}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Field label="Name" error={errorOf(save.error, "name")}>
        <Input
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
          maxLength={100}
          autoComplete="off"
        />
      </Field>
      <RadioGroup
        label="Kind"
        options={KINDS}
        value={kind}
        onChange={setKind}
        error={errorOf(save.error, "kind")}
      />
      {lane && lane.kind !== kind && (lane.kind === "done" || kind === "done") && (
        <p className="text-text-2">
          {kind === "done"
            ? "The issues in this lane are closed."
            : "The issues in this lane are open again."}
        </p>
      )}
    </FormDialog>
  );
}
