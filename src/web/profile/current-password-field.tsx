import { useProfile } from "../data/account/session.ts";
import { Field } from "../kit/field.tsx";
import { Input } from "../kit/input.tsx";
import { SignInAgain } from "./sign-in-again.tsx";

type Props = { value: string; onChange: (value: string) => void; error: string | undefined; why?: string };

/**
 * Changes to how one signs in require the current password or, without one, a fresh sign-in at the identity provider.
 * `why` gives the reason where it is not obvious.
 */
export function CurrentPasswordField({ value, onChange, error, why }: Props) {
  if (!useProfile().has_password) return <SignInAgain />;
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
