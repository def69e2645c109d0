import { Check } from "lucide-react";
import type { Label } from "../../../shared/labels.ts";
import type { Project } from "../../../shared/projects.ts";
import { Badge } from "../../kit/badge.tsx";
import { tooltip } from "../../kit/tooltip.ts";
import { Field } from "../../kit/field.tsx";
import { Input } from "../../kit/input.tsx";
import { errorOf } from "../../forms/form-dialog.tsx";
import { checkColor, LABEL_COLORS } from "../../marks/label-colors.ts";
import { NamedDialog } from "./named-dialog.tsx";
import { projectLabels } from "../../data/projects/project-parts.ts";

type Props = { project: Project; label?: Label; onClose: () => void };
type Fields = Pick<Label, "name" | "color">;

/** A name and a color. The color is shown as a dot, so that any color keeps the name readable. */
export function LabelDialog({ project, label, onClose }: Props) {
  const { name: its = "", color: first = LABEL_COLORS[0].value } = label ?? {};
  return (
    <NamedDialog<Fields>
      what="label"
      projectId={project.id}
      parts={projectLabels}
      thing={label}
      start={{ name: its, color: first }}
      stale={[["label", project.id]]}
      onClose={onClose}
    >
      {({ fields: { name, color }, change, error }) => (
        <>
          <fieldset>
            <legend className="mb-1 font-medium">Color</legend>
            <div className="flex flex-wrap gap-1">
              {LABEL_COLORS.map((one) => (
                <button
                  key={one.value}
                  type="button"
                  aria-label={one.name}
                  {...tooltip(one.name)}
                  aria-pressed={color === one.value}
                  className="inline-flex size-8 items-center justify-center rounded-md border border-transparent aria-pressed:border-accent"
                  onClick={() => change({ color: one.value })}
                >
                  <span
                    className="inline-flex size-5 items-center justify-center rounded-full"
                    style={{ backgroundColor: one.value, color: checkColor(one.value) }}
                  >
                    {color === one.value && <Check aria-hidden size={14} strokeWidth={3} />}
                  </span>
                </button>
              ))}
            </div>
          </fieldset>
          <div className="flex flex-wrap items-end gap-4">
            <Field label="Custom color" className="w-28" error={errorOf(error, "color")}>
              <Input
                type="color"
                className="p-1"
                value={color}
                onChange={(event) => change({ color: event.target.value })}
              />
            </Field>
            <div className="flex h-8 min-w-0 flex-1 items-center gap-2">
              <span className="text-text-3 text-sm">Preview</span>
              <Badge dot={color}>{name || "Label"}</Badge>
            </div>
          </div>
        </>
      )}
    </NamedDialog>
  );
}
