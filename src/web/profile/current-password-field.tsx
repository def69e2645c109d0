import { Field } from "../kit/field.tsx";
import { Input } from "../kit/input.tsx";

type Props = { value: string; onChange: (value: string) => void; error: string | undefined; why?: string };

/** Changes to how one signs in require the current password. `why` gives the reason where it is not obvious. */
export function CurrentPasswordField({ value, onChange, error, why }: Props) {
  return (
    <Field
      label="Current password"
      hint={`${why === undefined ? "" : `${why} `}Leave it empty if you don’t have one.`}
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
