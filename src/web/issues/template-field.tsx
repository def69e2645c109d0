import type { ReactNode } from "react";
import type { IssueTemplate } from "../../shared/issue-templates.ts";
import { Combobox } from "../kit/combobox.tsx";
import { Field } from "../kit/field.tsx";

type Props = {
  templates: readonly IssueTemplate[];
  value: number | null;
  onChange: (id: number | null) => void;
  hint?: string;
  error?: string | undefined;
  /** Shown below the field, such as a question about the choice. */
  children?: ReactNode;
};

/** Chooses what a new issue is filled from. */
export function TemplateField({ templates, value, onChange, hint, error, children }: Props) {
  return (
    <Field label="Template" hint={hint} error={error}>
      <Combobox
        label="Template"
        none="No template"
        value={value}
        choices={templates.map(({ id, name, is_default }) => ({
          value: id,
          label: name,
          hint: is_default ? "default" : undefined,
        }))}
        onChange={onChange}
      />
      {children}
    </Field>
  );
}
