import { useState } from "react";
import type { AlertKind, AlertRule } from "../../../shared/alert-rules.ts";
import type { Project } from "../../../shared/projects.ts";
import { changeAlertRule, createAlertRule } from "../../data/integrations/alert-rules.ts";
import { isChanged } from "../../forms/changes-of.ts";
import { errorOf, FormDialog } from "../../forms/form-dialog.tsx";
import { NameField } from "../../forms/name-field.tsx";
import { useSend } from "../../forms/use-send.ts";
import { Field } from "../../kit/field.tsx";
import { Input } from "../../kit/input.tsx";
import { Select } from "../../kit/select.tsx";
import { ActionFields } from "./action-fields.tsx";
import { ConditionFields } from "./condition-fields.tsx";
import { bodyOf, conditionsOf, draftOf, type RuleDraft, whenOf } from "./rule-draft.ts";
import { hasConditions, KIND_OPTIONS, KINDS } from "./rule-kinds.ts";
import { RulePreview } from "./rule-preview.tsx";
import { sentenceOf } from "./sentence.ts";
import type { RuleChoices } from "./use-names.ts";

type Props = {
  project: Project;
  choices: RuleChoices;
  /** The rule to edit. Without one, a rule is created. */
  rule: AlertRule | undefined;
  onClose: () => void;
};

/** Builds a rule, and shows it as a sentence with what it would have done in the last seven days. */
export function RuleDialog({ project, choices, rule, onClose }: Props) {
  const [start] = useState(() => draftOf(rule));
  const [draft, setDraft] = useState(start);
  const save = useSend({
    send: () =>
      rule ? changeAlertRule(project.id, rule.id, bodyOf(draft)) : createAlertRule(project.id, bodyOf(draft)),
    stale: [["alert_rule", project.id]],
    onDone: onClose,
  });
  const change = (changes: Partial<RuleDraft>) => {
    // The error is about what was sent.
    save.reset();
    setDraft({ ...draft, ...changes });
  };
  const dirty = isChanged(start, draft);
  const when = whenOf(draft);
  const conditions = conditionsOf(draft);
  return (
    <FormDialog
      title={rule ? `Edit ${rule.name}` : "Add alert rule"}
      submit={rule ? "Save" : "Add rule"}
      size="lg"
      busy={save.isPending}
      dirty={dirty}
      error={save.error}
      fields={[
        "name",
        "when.count",
        "when.below",
        "when.sessions",
        "when.minutes",
        "when.days",
        "every_minutes",
      ]}
      onSubmit={() => (dirty || !rule ? save.mutate() : onClose())}
      onClose={onClose}
    >
      <p role="status" className="border-s-2 border-accent ps-3 text-read">
        {sentenceOf({ when, if: conditions, actions: draft.actions }, choices.names)}
      </p>
      <RulePreview project={project} rule={{ when, if: conditions }} />
      <NameField
        value={draft.name}
        onChange={(name) => change({ name })}
        error={errorOf(save.error, "name")}
      />
      <WhenFields draft={draft} change={change} error={save.error} />
      {hasConditions(draft.kind) && (
        <ConditionFields draft={draft} change={change} people={choices.people} projectId={project.id} />
      )}
      <ActionFields
        about={KINDS[draft.kind].about}
        value={draft.actions}
        onChange={(actions) => change({ actions })}
        choices={choices}
      />
      <Field
        label="At most once in"
        hint={`Minutes, per ${KINDS[draft.kind].about}.`}
        error={errorOf(save.error, "every_minutes")}
        className="max-w-40"
      >
        <Input
          inputMode="numeric"
          value={draft.every_minutes}
          onChange={(event) => change({ every_minutes: event.target.value })}
          required
        />
      </Field>
    </FormDialog>
  );
}

type WhenProps = { draft: RuleDraft; change: (changes: Partial<RuleDraft>) => void; error: unknown };

function WhenFields({ draft, change, error }: WhenProps) {
  const { fields, unit = "" } = KINDS[draft.kind];
  const labels = {
    count: `More than (${unit.toLowerCase()})`,
    below: "Less than (percent)",
    sessions: "Of at least (sessions)",
    minutes: "In minutes",
    days: "Days",
  };
  return (
    <>
      <Field label="When">
        <Select
          value={draft.kind}
          onChange={(kind) => change({ kind: kind as AlertKind })}
          options={KIND_OPTIONS}
        />
      </Field>
      {fields.length > 0 && (
        <div className="grid grid-cols-2 gap-3">
          {fields.map((field) => (
            <Field key={field} label={labels[field]} error={errorOf(error, `when.${field}`)}>
              <Input
                inputMode={field === "below" ? "decimal" : "numeric"}
                value={draft[field]}
                onChange={(event) => change({ [field]: event.target.value })}
                required
              />
            </Field>
          ))}
        </div>
      )}
    </>
  );
}
