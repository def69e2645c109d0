import { Link, useSearch } from "@tanstack/react-router";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { SubmitEvent } from "react";
import { ApiError, messageOf } from "../api/client.ts";
import { resetPassword } from "../data/account/sign-in.ts";
import { Button, buttonClass } from "../kit/button.tsx";
import { Checkbox } from "../kit/checkbox.tsx";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Input } from "../kit/input.tsx";
import { formText } from "./form-text.ts";
import { LINK, PublicPage } from "./public-frame.tsx";
import { useFocusInvalid } from "../kit/use-focus-invalid.ts";

/** The page of the link in the email: sets a new password and ends every session. */
export function ResetPage() {
  const { token = "" } = useSearch({ from: "/password/reset" });
  const client = useQueryClient();
  const reset = useMutation({
    mutationFn: (body: { password: string; revoke_tokens: boolean }) => resetPassword({ token, ...body }),
    onSuccess: () => client.clear(),
  });
  const form = useFocusInvalid(reset.error);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    reset.mutate({ password: formText(form, "password"), revoke_tokens: form.has("revoke_tokens") });
  };
  if (reset.isSuccess)
    return (
      <PublicPage title="Your password is set" lead="You have been signed out on all devices.">
        <Link to="/sign-in" className={buttonClass({ variant: "primary" })}>
          Sign in
        </Link>
      </PublicPage>
    );
  const refused = reset.error instanceof ApiError ? reset.error : undefined;
  if (token === "" || refused?.messageFor("token") !== undefined) return <UnusableLink />;
  return (
    <PublicPage title="Set a new password" lead="You will be signed out on all devices.">
      <form ref={form} onSubmit={submit} className="flex flex-col gap-3">
        <FormError>{reset.error && !refused?.messageFor("password") && messageOf(reset.error)}</FormError>
        <Field label="New password" hint="At least 10 characters." error={refused?.messageFor("password")}>
          <Input
            name="password"
            type="password"
            autoComplete="new-password"
            minLength={10}
            required
            autoFocus
          />
        </Field>
        <Checkbox
          name="revoke_tokens"
          label="Revoke all my personal tokens"
          hint="Tokens created since your last password change are always revoked."
        />
        <Button type="submit" variant="primary" busy={reset.isPending}>
          Set password
        </Button>
      </form>
    </PublicPage>
  );
}

function UnusableLink() {
  return (
    <PublicPage
      title="This link cannot be used"
      lead="It is invalid, already used, or older than an hour."
      foot={
        <Link to="/sign-in" className={LINK}>
          Back to sign-in
        </Link>
      }
    >
      <Link to="/password/forgot" className={buttonClass({ variant: "primary" })}>
        Request a new link
      </Link>
    </PublicPage>
  );
}
