import { Link, useSearch } from "@tanstack/react-router";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiError, messageOf } from "../api/client.ts";
import { confirmAddress } from "../data/account/sign-in.ts";
import { nameOf } from "../data/projects/people.ts";
import { profileQuery } from "../data/account/session.ts";
import { Button, buttonClass } from "../kit/button.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Spinner } from "../kit/spinner.tsx";
import { PublicPage } from "./public-frame.tsx";

/**
 * The page of the link in the email. The button confirms, not the page itself, because mail scanners open links. It needs a
 * session, because the reader of the address may be a stranger.
 */
export function ConfirmAddressPage() {
  const { token = "" } = useSearch({ from: "/confirm-address" });
  const client = useQueryClient();
  const profile = useQuery(profileQuery);
  const confirm = useMutation({
    mutationFn: () => confirmAddress(token),
    onSuccess: (saved) => client.setQueryData(profileQuery.queryKey, saved),
  });
  const refused = confirm.error instanceof ApiError && confirm.error.messageFor("token") !== undefined;
  if (confirm.isSuccess)
    return (
      <PublicPage
        title="Your address is confirmed"
        lead={`Signalbox now sends your email to ${confirm.data.email}.`}
      >
        <Link to="/" className={buttonClass({ variant: "primary" })}>
          Open Signalbox
        </Link>
      </PublicPage>
    );
  if (token === "" || refused)
    return (
      <PublicPage
        title="This link cannot be used"
        lead={`It is invalid, already used, older than 24 hours, or belongs to another account.${
          profile.data ? ` You are signed in as ${profile.data.username}.` : ""
        }`}
      >
        <Link to="/settings/profile" className={buttonClass({ variant: "primary" })}>
          Open your profile
        </Link>
      </PublicPage>
    );
  if (profile.isPending)
    return (
      <PublicPage title="Confirm your address">
        <Spinner label="Loading" />
      </PublicPage>
    );
  if (!profile.data)
    return (
      <PublicPage
        title="Confirm your address"
        lead="Sign in to the account that the address was entered for, then confirm it."
      >
        <Link
          to="/sign-in"
          search={{ return_to: `/confirm-address?token=${encodeURIComponent(token)}` }}
          className={buttonClass({ variant: "primary" })}
        >
          Sign in
        </Link>
      </PublicPage>
    );
  const { username, email, pending_email } = profile.data;
  return (
    <PublicPage
      title="Confirm your address"
      lead={`You are signed in as ${nameOf(profile.data)} (${username}). Your account will use ${pending_email ?? email}.`}
    >
      <div className="flex flex-col items-start gap-3">
        <FormError>{confirm.error && messageOf(confirm.error)}</FormError>
        <Button variant="primary" busy={confirm.isPending} onClick={() => confirm.mutate()} autoFocus>
          Confirm address
        </Button>
      </div>
    </PublicPage>
  );
}
