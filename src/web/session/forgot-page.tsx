import { Link } from "@tanstack/react-router";
import { useMutation } from "@tanstack/react-query";
import type { SubmitEvent } from "react";
import { messageOf } from "../api/client.ts";
import { requestPasswordReset } from "../data/account/sign-in.ts";
import { Button } from "../kit/button.tsx";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Input } from "../kit/input.tsx";
import { formText } from "./form-text.ts";
import { LINK, PublicPage } from "./public-frame.tsx";

/** The message is the same whether or not the account exists, so that it does not reveal who has one. */
export function ForgotPage() {
  const forgot = useMutation({ mutationFn: requestPasswordReset });
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    forgot.mutate(formText(new FormData(event.currentTarget), "email"));
  };
  const foot = (
    <Link to="/sign-in" className={LINK}>
      Back to sign-in
    </Link>
  );
  if (forgot.isSuccess)
    return (
      <PublicPage title="Check your email" foot={foot}>
        <p role="status">
          If {forgot.variables} has an account, a link to set a new password is on its way. It works once,
          within an hour. No email? Ask an administrator, who can set a new password for you.
        </p>
      </PublicPage>
    );
  return (
    <PublicPage title="Forgot your password?" lead="We’ll email you a link to set a new one." foot={foot}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <FormError>{forgot.error && messageOf(forgot.error)}</FormError>
        <Field label="Email">
          <Input name="email" type="email" autoComplete="username" required autoFocus />
        </Field>
        <Button type="submit" variant="primary" busy={forgot.isPending}>
          Send link
        </Button>
      </form>
    </PublicPage>
  );
}
