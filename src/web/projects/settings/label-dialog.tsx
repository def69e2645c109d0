import { Check } from "lucide-react";
import { useState } from "react";
import type { Label } from "../../../shared/labels.ts";
import type { Project } from "../../../shared/projects.ts";
import { api } from "../../api/client.ts";
import { Badge } from "../../ui/badge.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { errorOf, FormDialog } from "./form-dialog.tsx";
import { checkColour, LABEL_COLOURS } from "./label-colours.ts";
import { useSend } from "./use-send.ts";

/** A name and a colour. The colour is a dot beside the name, so that the name can be read whatever is chosen. */
export function LabelDialog({
  project,
  label,
  onClose,
}: {
  project: Project;
  label?: Label;
  onClose: () => void;
}) {
  const [name, setName] = useState(label?.name ?? "");
  const [color, setColor] = useState(label?.color ?? LABEL_COLOURS[0].value);
  const path = `/api/projects/${project.id}/labels`;
  const save = useSend({
    send: () => (label ? api.patch(`${path}/${label.id}`, { name, color }) : api.post(path, { name, color })),
    stale: [["label", project.id]],
    onDone: onClose,
  });
  return (
    <FormDialog
      title={label ? `Edit ${label.name}` : "Add label"}
      submit={label ? "Save" : "Add"}
      busy={save.isPending}
      dirty={name !== (label?.name ?? "")}
      error={save.error}
      fields={["name", "color"]}
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
      <fieldset>
        <legend className="mb-1 font-medium">Colour</legend>
        <div className="flex flex-wrap gap-1">
          {LABEL_COLOURS.map((one) => (
            <button
              key={one.value}
              type="button"
              aria-label={one.name}
              title={one.name}
              aria-pressed={color === one.value}
              className="inline-flex size-8 items-center justify-center rounded-md border border-transparent aria-pressed:border-accent"
              onClick={() => setColor(one.value)}
            >
              <span
                className="inline-flex size-5 items-center justify-center rounded-full"
                style={{ backgroundColor: one.value, color: checkColour(one.value) }}
              >
                {color === one.value && <Check aria-hidden size={14} strokeWidth={3} />}
              </span>
            </button>
          ))}
        </div>
      </fieldset>
      <div className="flex flex-wrap items-end gap-4">
        <Field label="Another colour" className="w-28" error={errorOf(save.error, "color")}>
          <Input
            type="color"
            className="p-1"
            value={color}
            onChange={(event) => setColor(event.target.value)}
          />
        </Field>
        <div className="flex h-8 min-w-0 flex-1 items-center gap-2">
          <span className="text-text-3 text-sm">Looks like</span>
          <Badge dot={color}>{name || "Label"}</Badge>
        </div>
      </div>
    </FormDialog>
  );
}
