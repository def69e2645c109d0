import { useProfile } from "../data/session.ts";
import { Field } from "../kit/field.tsx";
import { Input } from "../kit/input.tsx";

type Props = { value: string; onChange: (value: string) => void; error: string | undefined; why?: string };

/**
 * Changes to how one signs in require the current password, if there is one. `why` gives the reason where it is not obvious.
 */
export function CurrentPasswordField({ value, onChange, error, why }: Props) {
  if (!useProfile().has_password) return null;
  return (
    <Field label="Current password" hint={why} error={error}>
      <Input
        type="password"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="current-password"
      />
    </Field>
  );
}
