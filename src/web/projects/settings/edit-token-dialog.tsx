import { useState } from "react";
import type { Project } from "../../../shared/projects.ts";
import type { ProjectToken } from "../../../shared/project-tokens.ts";
import { projectTokens } from "../../data/projects/project-parts.ts";
import { Field } from "../../kit/field.tsx";
import { RadioGroup } from "../../kit/radio-group.tsx";
import { Select } from "../../kit/select.tsx";
import { changesOf, isChanged } from "../../forms/changes-of.ts";
import { expiresAt, LIFETIMES } from "../../forms/expiry.ts";
import { errorOf, FormDialog } from "../../forms/form-dialog.tsx";
import { ACCESSES } from "./new-token-dialog.tsx";
import { useSend } from "../../forms/use-send.ts";
import { NameField } from "../../forms/name-field.tsx";

type Props = { project: Project; token: ProjectToken; onClose: () => void };

const AS_IT_IS = "as-it-is";

/** Edits a token's name, access and expiry. The secret stays the same. */
export function EditTokenDialog({ project, token, onClose }: Props) {
  const [name, setName] = useState(token.name);
  const [access, setAccess] = useState(token.access);
  const [lifetime, setLifetime] = useState(AS_IT_IS);
  const [start] = useState({ name, access, lifetime });
  const now = { name, access, lifetime };
  const dirty = isChanged(start, now);
  const save = useSend({
    send: () => {
      const { lifetime: chosen, ...changes } = changesOf(start, now);
      return projectTokens.change(project.id, token.id, {
        ...changes,
        ...(chosen === undefined ? {} : { expires_at: expiresAt(chosen, Date.now()) }),
      });
    },
    stale: [["token", project.id]],
    onDone: onClose,
  });
  return (
    <FormDialog
      title={`Edit ${token.name}`}
      submit="Save"
      busy={save.isPending}
      dirty={dirty}
      error={save.error}
      fields={["name", "access", "expires_at"]}
      onSubmit={() => (dirty ? save.mutate() : onClose())}
      onClose={onClose}
    >
      <NameField value={name} onChange={setName} error={errorOf(save.error, "name")} />
      <RadioGroup label="Access" options={ACCESSES} value={access} onChange={setAccess} />
      <Field label="Expiration" hint="Counted from now." error={errorOf(save.error, "expires_at")}>
        <Select
          value={lifetime}
          onChange={(next) => setLifetime(next)}
          options={[
            { value: AS_IT_IS, label: "Keep current expiration" },
            ...LIFETIMES.map(({ value, label }) => ({ value, label })),
          ]}
        />
      </Field>
    </FormDialog>
  );
}
