import { AREAS } from "../../shared/token-scopes.ts";
import { useProjects } from "../data/projects/projects.ts";
import { errorOf } from "../forms/form-dialog.tsx";
import { MultiCombobox } from "../kit/combobox.tsx";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Select } from "../kit/select.tsx";
import { AREA_LABELS, type Level, type Levels } from "./token-scopes.ts";

const LEVELS: { value: Level; label: string }[] = [
  { value: "none", label: "No access" },
  { value: "read", label: "Read" },
  { value: "write", label: "Read & write" },
];

export type Limits = { levels: Levels; projectIds: readonly number[] };

type Props = { limits: Limits; onChange: (limits: Limits) => void; error: unknown };

/** The areas and projects of a limited token. */
export function TokenLimits({ limits, onChange, error }: Props) {
  const { levels, projectIds } = limits;
  const choices = useProjects().map(({ id, name, key }) => ({ value: id, label: name, hint: key }));
  const scopesError = errorOf(error, "scopes");
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-3">
        {AREAS.map((area) => (
          <Field key={area} label={AREA_LABELS[area]}>
            <Select
              options={LEVELS}
              value={levels[area]}
              onChange={(level) => onChange({ ...limits, levels: { ...levels, [area]: level as Level } })}
            />
          </Field>
        ))}
      </div>
      {scopesError !== undefined && <FormError>Choose at least one area.</FormError>}
      <Field
        label="Projects"
        error={errorOf(error, "project_ids")}
        hint="Areas and projects can’t be changed later."
      >
        <MultiCombobox
          choices={choices}
          value={projectIds}
          onChange={(ids) => onChange({ ...limits, projectIds: ids })}
          placeholder="Choose projects"
        />
      </Field>
    </>
  );
}
