import { useState } from "react";
import { errorOf, FormDialog } from "../forms/form-dialog.tsx";
import { NameField } from "../forms/name-field.tsx";

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
      <NameField value={name} onChange={setName} error={errorOf(error, "name")} />
    </FormDialog>
  );
}
