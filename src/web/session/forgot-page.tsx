import { Link } from "@tanstack/react-router";
import { useMutation } from "@tanstack/react-query";
import type { SubmitEvent } from "react";
import { api, messageOf } from "../api/client.ts";
import { Button } from "../kit/button.tsx";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Input } from "../kit/input.tsx";
import { formText } from "./form-text.ts";
import { LINK, PublicPage } from "./public-page.tsx";

/** Always the same answer: whether somebody has an account is nobody's business. */
export function ForgotPage() {
  const forgot = useMutation({ mutationFn: (email: string) => api.post("/api/password/forgot", { email }) });
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
      <PublicPage title="Look into your mail" foot={foot}>
        <p role="status">
          If {forgot.variables} has an account here, a link to set a new password is on its way. It works
          once, for an hour. No mail? Ask an administrator: without a mail server they can set a new password
          for you.
        </p>
      </PublicPage>
    );
  return (
    <PublicPage
      title="Forgot your password?"
      lead="A link to set a new one is sent to your address."
      foot={foot}
    >
      <form onSubmit={submit} className="flex flex-col gap-3">
        <FormError>{forgot.error && messageOf(forgot.error)}</FormError>
        <Field label="E-mail">
          <Input name="email" type="email" autoComplete="username" required autoFocus />
        </Field>
        <Button type="submit" variant="primary" busy={forgot.isPending}>
          Send the link
        </Button>
      </form>
    </PublicPage>
  );
}
