import type { ReactNode, SubmitEvent } from "react";
import { ApiError, messageOf } from "../api/client.ts";
import { formText } from "./form-text.ts";
import { Button } from "../kit/button.tsx";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Input } from "../kit/input.tsx";
import { useFocusInvalid } from "../kit/use-focus-invalid.ts";

export type NewPerson = { first_name: string; last_name: string; username: string; password: string };

type Props = {
  /** A hidden field for the password manager. Without it, `children` has a field for the address. */
  email?: string;
  error: unknown;
  busy: boolean;
  submit: string;
  onSubmit: (person: NewPerson, form: FormData) => void;
  /** Fields above those of the person. */
  children?: ReactNode;
};

const FIELDS = ["first_name", "last_name", "username", "password"];

/** The fields of a new account. Validation errors are shown under their fields. */
export function NewPersonForm({ email, error, busy, submit, onSubmit, children }: Props) {
  const ref = useFocusInvalid(error);
  const refused = error instanceof ApiError ? error : undefined;
  const ofField = (name: string) => refused?.messageFor(name);
  const isPlaced = [
    ...FIELDS,
    ...(email === undefined ? ["email", "workspace_name", "setup_token"] : []),
  ].some(ofField);
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => formText(form, name);
    onSubmit(
      {
        first_name: text("first_name"),
        last_name: text("last_name"),
        username: text("username"),
        password: text("password"),
      },
      form,
    );
  };
  return (
    <form ref={ref} onSubmit={send} className="flex flex-col gap-3">
      <FormError>
        {email !== undefined && ofField("email") !== undefined
          ? `This address ${refused?.errors["email"]?.[0]}.`
          : error !== null && error !== undefined && !isPlaced && messageOf(error)}
      </FormError>
      {children}
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="First name" error={ofField("first_name")}>
          <Input name="first_name" autoComplete="given-name" required maxLength={100} />
        </Field>
        <Field label="Last name" error={ofField("last_name")}>
          <Input name="last_name" autoComplete="family-name" required maxLength={100} />
        </Field>
      </div>
      <Field label="Username" hint="Others mention you with it: @ada" error={ofField("username")}>
        <Input
          name="username"
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          required
          maxLength={40}
        />
      </Field>
      {email !== undefined && <input type="hidden" name="email" autoComplete="username" value={email} />}
      <Field label="Password" hint="At least 10 characters." error={ofField("password")}>
        <Input name="password" type="password" autoComplete="new-password" required minLength={10} />
      </Field>
      <Button type="submit" variant="primary" busy={busy}>
        {submit}
      </Button>
    </form>
  );
}
