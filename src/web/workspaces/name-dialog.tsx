import { useState } from "react";
import { errorOf, FormDialog } from "../forms/form-dialog.tsx";
import { Field } from "../kit/field.tsx";
import { Input } from "../kit/input.tsx";

type Props = {
  title: string;
  submit: string;
  name?: string;
  busy: boolean;
  error: unknown;
  onSubmit: (name: string) => void;
  onClose: () => void;
};

export function NameDialog({ title, submit, name: before = "", busy, error, onSubmit, onClose }: Props) {
  const [name, setName] = useState(before);
  return (
    <FormDialog
      title={title}
      submit={submit}
      size="sm"
      busy={busy}
      dirty={name !== before}
      error={error}
      fields={["name"]}
      onSubmit={() => onSubmit(name)}
      onClose={onClose}
    >
      <Field label="Name" error={errorOf(error, "name")}>
        <Input
          value={name}
          onChange={(event) => setName(event.target.value)}
          required
          maxLength={100}
          autoComplete="off"
        />
      </Field>
    </FormDialog>
  );
}
