import { useState } from "react";
import type { InboundRule } from "../../../shared/inbound-rules.ts";
import { hasPattern, MAX_PATTERN, type InboundKind } from "../../../shared/rule-kinds.ts";
import type { Project } from "../../../shared/projects.ts";
import { inboundRules } from "../../data/projects/project-parts.ts";
import { isChanged } from "../../forms/changes-of.ts";
import { errorOf, FormDialog } from "../../forms/form-dialog.tsx";
import { useSend } from "../../forms/use-send.ts";
import { Field } from "../../kit/field.tsx";
import { Input } from "../../kit/input.tsx";
import { Select } from "../../kit/select.tsx";
import { kindOf, KINDS } from "../../data/projects/inbound-kinds.ts";
import { PatternHelp } from "./pattern-help.tsx";

type Props = {
  project: Project;
  /** The rules that exist. A kind without a pattern is needed only once. */
  taken: readonly InboundRule[];
  rule?: InboundRule;
  onClose: () => void;
};

/** Creates an inbound rule, or edits its pattern. */
export function InboundRuleDialog({ project, taken, rule, onClose }: Props) {
  const kinds = KINDS.filter(
    ({ value }) => hasPattern(value) || !taken.some((existing) => existing.kind === value),
  );
  const [start] = useState({
    kind: rule?.kind ?? kinds[0]?.value ?? "message",
    pattern: rule?.pattern ?? "",
  });
  const [form, setForm] = useState<{ kind: InboundKind; pattern: string }>(start);
  const { kind, pattern } = form;
  const save = useSend({
    send: () =>
      rule
        ? inboundRules.change(project.id, rule.id, { pattern })
        : inboundRules.add(project.id, { kind, pattern: hasPattern(kind) ? pattern : null }),
    stale: [["project_rule", project.id]],
    onDone: onClose,
  });
  const dirty = isChanged(start, form);
  return (
    <FormDialog
      title={rule ? `Edit rule: ${kindOf(kind).label}` : "Add inbound rule"}
      submit={rule ? "Save" : "Add rule"}
      busy={save.isPending}
      dirty={dirty}
      error={save.error}
      fields={["pattern"]}
      onSubmit={() => (dirty || !rule || rule.paused_at !== null ? save.mutate() : onClose())}
      onClose={onClose}
    >
      {!rule && (
        <Field label="Drop events by" hint={hasPattern(kind) ? undefined : kindOf(kind).hint}>
          <Select
            value={kind}
            onChange={(next) => setForm({ ...form, kind: next as InboundKind })}
            options={kinds}
          />
        </Field>
      )}
      {hasPattern(kind) && (
        <PatternField
          value={pattern}
          hint={kindOf(kind).hint}
          error={errorOf(save.error, "pattern")}
          onChange={(next) => {
            // The error is about what was sent.
            save.reset();
            setForm({ ...form, pattern: next });
          }}
        />
      )}
    </FormDialog>
  );
}

type PatternProps = {
  value: string;
  hint: string | undefined;
  error: string | undefined;
  onChange: (pattern: string) => void;
};

function PatternField({ value, hint, error, onChange }: PatternProps) {
  return (
    <>
      <Field label="Pattern" hint={hint} error={error}>
        <Input
          value={value}
          onChange={(event) => onChange(event.target.value)}
          required
          maxLength={MAX_PATTERN}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          className="font-mono"
        />
      </Field>
      <PatternHelp />
    </>
  );
}
