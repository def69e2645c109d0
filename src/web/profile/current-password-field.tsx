import { Field } from "../kit/field.tsx";
import { Input } from "../kit/input.tsx";

type Props = { value: string; onChange: (value: string) => void; error: string | undefined; why?: string };

/** What changes who may sign in takes the present password. `why` says so where it is not plain. */
export function CurrentPasswordField({ value, onChange, error, why }: Props) {
  return (
    <Field
      label="Current password"
      hint={`${why === undefined ? "" : `${why} `}Leave it empty if you have none.`}
      error={error}
    >
      <Input
        type="password"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="current-password"
      />
    </Field>
  );
}
