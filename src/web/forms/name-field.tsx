import { Field } from "../kit/field.tsx";
import { Input } from "../kit/input.tsx";

type Props = {
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  hint?: string;
  className?: string;
};

/** The field for the name of something. */
export function NameField({ value, onChange, ...field }: Props) {
  return (
    <Field label="Name" {...field}>
      <Input
        value={value}
        onChange={(event) => onChange(event.target.value)}
        required
        maxLength={100}
        autoComplete="off"
      />
    </Field>
  );
}
