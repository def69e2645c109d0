import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { ApiError, messageOf, withQuery } from "../api/client.ts";
import { signIn, signInMethodsQuery } from "../data/account/sign-in.ts";
import { Button, LinkButton } from "../kit/button.tsx";
import { Field } from "../kit/field.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Input } from "../kit/input.tsx";
import { formText } from "./form-text.ts";
import { LINK, PublicPage } from "./public-frame.tsx";
import { providerFailure } from "./provider-failure.ts";
import { profileQuery } from "../data/account/session.ts";
import { safePath } from "./return-to.ts";

type Credentials = { email: string; password: string; code?: string };

export function SignInPage() {
  const search = useSearch({ from: "/sign-in" });
  const returnTo = safePath(search.return_to);
  const methods = useQuery(signInMethodsQuery);
  const signingIn = useSignIn(returnTo);
  // The field stays after an error, so that nothing has to be typed again.
  const [needsCode, setNeedsCode] = useState(false);
  const [triedCode, setTriedCode] = useState(false);

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => formText(form, name);
    const code = text("code").trim();
    setTriedCode(code !== "");
    signingIn.mutate(
      { email: text("email"), password: text("password"), ...(code === "" ? {} : { code }) },
      { onError: (error) => asksCode(error) && setNeedsCode(true) },
    );
  };
  const provider = methods.data?.oidc;
  return (
    <PublicPage
      title="Sign in"
      lead={search.ended && "Your session has ended. Sign in again to continue."}
      foot={
        <Link to="/password/forgot" className={LINK}>
          Forgot your password?
        </Link>
      }
    >
      <form onSubmit={submit} className="flex flex-col gap-3">
        <FormError>
          {errorText(signingIn.error, asksCode(signingIn.error) && !triedCode) ??
            providerFailure(search.error)}
        </FormError>
        {/* Another account may not have a second factor. */}
        <EmailField onChange={() => setNeedsCode(false)} />
        <Field label="Password">
          <Input name="password" type="password" autoComplete="current-password" required />
        </Field>
        {needsCode && <CodeField />}
        <Button type="submit" variant="primary" busy={signingIn.isPending}>
          Sign in
        </Button>
      </form>
      {provider && (
        <LinkButton
          href={withQuery("/api/oidc/start", { return_to: returnTo })}
          className="mt-3 w-full"
        >{`Sign in with ${provider.name}`}</LinkButton>
      )}
    </PublicPage>
  );
}

function CodeField() {
  return (
    <Field label="Code" hint="The six digits from your authenticator app, or a recovery code.">
      <Input
        name="code"
        autoComplete="one-time-code"
        inputMode="text"
        spellCheck={false}
        required
        autoFocus
      />
    </Field>
  );
}

function useSignIn(returnTo: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: Credentials) => signIn(body),
    onSuccess: async (profile) => {
      client.clear();
      client.setQueryData(profileQuery.queryKey, profile);
      await navigate({ href: returnTo });
    },
  });
}

const asksCode = (error: unknown): boolean =>
  error instanceof ApiError && error.body["second_factor_required"] === true;

/** A missing code is not an error: the new field asks for it. */
function errorText(error: unknown, isFirstAsk: boolean): string | undefined {
  if (!error || isFirstAsk) return undefined;
  return messageOf(error);
}

function EmailField({ onChange }: { onChange: () => void }) {
  return (
    <Field label="Email">
      <Input name="email" type="email" autoComplete="username" required autoFocus onChange={onChange} />
    </Field>
  );
}
