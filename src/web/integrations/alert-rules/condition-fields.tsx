import { useMemo } from "react";
import type { Person } from "../../../shared/answers.ts";
import { LEVELS } from "../../../shared/levels.ts";
import { useAllKnown } from "../../data/errors/error-groups.ts";
import { nameOf } from "../../data/projects/people.ts";
import { Avatar } from "../../kit/avatar.tsx";
import { Combobox } from "../../kit/combobox.tsx";
import { Disclosure } from "../../kit/disclosure.tsx";
import { Field } from "../../kit/field.tsx";
import { Input } from "../../kit/input.tsx";
import type { RuleDraft } from "./rule-draft.ts";

type Props = {
  projectId: number;
  draft: RuleDraft;
  change: (changes: Partial<RuleDraft>) => void;
  people: readonly Person[];
};

const PATTERNS = [
  { field: "class_pattern", label: "Exception class", example: "Checkout*" },
  { field: "message_pattern", label: "Message", example: "*timeout*" },
  { field: "file_pattern", label: "File of your own code", example: "src/checkout/*" },
] as const;

/** What must be true of the event or the error for the rule to fire. */
export function ConditionFields({ projectId, draft, change, people }: Props) {
  const known = useAllKnown(projectId);
  const environments = useMemo(
    () => [...new Set(known?.flatMap(({ environment }) => environment || []))],
    [known],
  );
  const rare = PATTERNS.some(({ field }) => draft[field] !== "") || draft.tags !== "";
  const offered =
    draft.environment === "" ? environments : [...new Set([...environments, draft.environment])];
  return (
    <>
      <div className="grid gap-3 sm:grid-cols-3">
        <Field label="Environment">
          <Combobox
            none="Any"
            choices={offered.map((value) => ({ value, label: value }))}
            value={draft.environment || null}
            onChange={(environment) => change({ environment: environment ?? "" })}
          />
        </Field>
        <Field label="Level">
          <Combobox
            none="Any"
            choices={LEVELS.map((level) => ({ value: level, label: level }))}
            value={draft.level || null}
            onChange={(level) => change({ level: level ?? "" })}
          />
        </Field>
        <Field label="Assignee">
          <Combobox
            none="Anyone"
            choices={people.map((person) => ({
              value: person.user_id,
              label: nameOf(person),
              hint: `@${person.username}`,
              icon: <Avatar person={person} size={16} />,
            }))}
            value={draft.assignee_id}
            onChange={(assignee_id) => change({ assignee_id })}
          />
        </Field>
      </div>
      <Disclosure title="Further conditions" defaultOpen={rare}>
        <div className="flex flex-col gap-3 pb-1">
          <TextConditions draft={draft} change={change} />
        </div>
      </Disclosure>
    </>
  );
}

function TextConditions({ draft, change }: Pick<Props, "draft" | "change">) {
  return (
    <>
      {PATTERNS.map(({ field, label, example }) => (
        <Field key={field} label={label} optional>
          <Input
            value={draft[field]}
            onChange={(event) => change({ [field]: event.target.value })}
            placeholder={example}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
      ))}
      <Field
        label="Tags"
        optional
        hint="In patterns, * stands for any text and ? for one character. The whole value must match."
      >
        <Input
          value={draft.tags}
          onChange={(event) => change({ tags: event.target.value })}
          placeholder="browser:Firefox, os:Linux"
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
    </>
  );
}
