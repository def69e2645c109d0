import { useState } from "react";
import { MAX_PATTERN } from "../../../shared/rule-kinds.ts";
import type { PrivacyRule } from "../../../shared/privacy-rules.ts";
import type { Project } from "../../../shared/projects.ts";
import { privacyRules } from "../../data/projects/project-parts.ts";
import { changesOf, isChanged, orNull } from "../../forms/changes-of.ts";
import { errorOf, FormDialog } from "../../forms/form-dialog.tsx";
import { useSend } from "../../forms/use-send.ts";
import { Field } from "../../kit/field.tsx";
import { Input } from "../../kit/input.tsx";
import { PatternHelp } from "./pattern-help.tsx";
import { TryPrivacyRule } from "./try-privacy-rule.tsx";

export type OwnPrivacyRule = PrivacyRule & { id: number };

type Props = { project: Project; rule?: OwnPrivacyRule; onClose: () => void };

const PATTERNS = [
  {
    field: "key_pattern",
    label: "Key pattern",
    hint: "The values of matching keys are removed as a whole. Example: (?i)^customer_?id$",
  },
  {
    field: "value_pattern",
    label: "Value pattern",
    hint: "Matching parts of any text are removed. Example: \\bK-\\d{6}\\b",
  },
] as const;

/** Creates a privacy rule, or edits one. */
export function PrivacyRuleDialog({ project, rule, onClose }: Props) {
  const [start] = useState({
    name: rule?.name ?? "",
    key_pattern: rule?.key_pattern ?? "",
    value_pattern: rule?.value_pattern ?? "",
  });
  const [form, setForm] = useState(start);
  const save = useSend({
    send: () => {
      const toBody = ({ key_pattern, value_pattern, ...others }: Partial<typeof form>) => ({
        ...others,
        ...(key_pattern !== undefined && { key_pattern: orNull(key_pattern) }),
        ...(value_pattern !== undefined && { value_pattern: orNull(value_pattern) }),
      });
      return rule
        ? privacyRules.change(project.id, rule.id, toBody(changesOf(start, form)))
        : privacyRules.add(project.id, { ...toBody(form), name: form.name });
    },
    stale: [["project_rule", project.id]],
    onDone: onClose,
  });
  const dirty = isChanged(start, form);
  const change = (changes: Partial<typeof form>) => {
    // The error is about what was sent.
    save.reset();
    setForm({ ...form, ...changes });
  };
  return (
    <FormDialog
      title={rule ? `Edit ${rule.name}` : "Add privacy rule"}
      submit={rule ? "Save" : "Add rule"}
      size="lg"
      busy={save.isPending}
      dirty={dirty}
      error={save.error}
      fields={Object.keys(form)}
      onSubmit={() => (dirty || !rule ? save.mutate() : onClose())}
      onClose={onClose}
    >
      <Field
        label="Name"
        hint={`Removed values become [removed: ${form.name.trim() || "name"}].`}
        error={errorOf(save.error, "name")}
      >
        <Input
          value={form.name}
          onChange={(event) => change({ name: event.target.value })}
          required
          maxLength={50}
          autoComplete="off"
        />
      </Field>
      {PATTERNS.map(({ field, label, hint }) => (
        <Field key={field} label={label} optional hint={hint} error={errorOf(save.error, field)}>
          <Input
            value={form[field]}
            onChange={(event) => change({ [field]: event.target.value })}
            maxLength={MAX_PATTERN}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            className="font-mono"
          />
        </Field>
      ))}
      <PatternHelp />
      <TryPrivacyRule
        project={project}
        rule={{
          name: form.name.trim() || "name",
          key_pattern: orNull(form.key_pattern),
          value_pattern: orNull(form.value_pattern),
        }}
      />
    </FormDialog>
  );
}
