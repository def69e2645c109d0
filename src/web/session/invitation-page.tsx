import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiError, messageOf } from "../api/client.ts";
import { acceptInvitation, endThisSession, invitationQuery } from "../data/account/sign-in.ts";
import { nameOf } from "../data/projects/people.ts";
import { Button } from "../kit/button.tsx";
import { ErrorState } from "../kit/error-state.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Spinner } from "../kit/spinner.tsx";
import { NewPersonForm, type NewPerson } from "./new-person-form.tsx";
import { LINK, PublicPage } from "./public-frame.tsx";
import { wasSignedIn } from "../state/was-signed-in.ts";
import { profileQuery } from "../data/account/session.ts";

/** The page of an invitation link: joins as the signed-in person, or creates an account. */
export function InvitationPage() {
  const { token } = useParams({ from: "/invitations/$token" });
  const invitation = useQuery(invitationQuery(token));
  const profile = useQuery(profileQuery);
  const accept = useAccept(token);
  const client = useQueryClient();
  const signOut = useMutation({
    mutationFn: endThisSession,
    // The page stays open and shows the form for a new account.
    onSuccess: () => {
      wasSignedIn.write(false);
      return client.resetQueries({ queryKey: profileQuery.queryKey });
    },
  });

  if (invitation.error instanceof ApiError && invitation.error.status === 404) return <Unusable />;
  if (invitation.error)
    return (
      <PublicPage title="Invitation">
        <ErrorState error={invitation.error} retry={() => void invitation.refetch()} />
      </PublicPage>
    );
  if (!invitation.data || profile.isPending)
    return (
      <PublicPage title="Invitation">
        <Spinner label="Loading" />
      </PublicPage>
    );
  const { workspace, email, invited_by } = invitation.data;
  const title = `Join ${workspace.name}`;
  const inviter = invited_by && `${nameOf(invited_by)} has invited you. `;
  if (profile.data)
    return (
      <PublicPage
        title={title}
        lead={`${inviter ?? ""}The invitation was sent to ${email}. You are signed in as ${profile.data.email}.`}
        foot={<OtherPerson busy={signOut.isPending} onSignOut={() => signOut.mutate()} />}
      >
        <FormError>{accept.error && messageOf(accept.error)}</FormError>
        <Button variant="primary" busy={accept.isPending} onClick={() => accept.mutate(undefined)}>
          Join as {nameOf(profile.data)}
        </Button>
      </PublicPage>
    );
  return (
    <PublicPage
      title={title}
      lead={`${inviter ?? ""}Your account will use ${email}.`}
      foot={<SignInToJoin token={token} />}
    >
      <NewPersonForm
        email={email}
        error={accept.error}
        busy={accept.isPending}
        submit="Create account and join"
        onSubmit={(person) => accept.mutate(person)}
      />
    </PublicPage>
  );
}

function Unusable() {
  return (
    <PublicPage
      title="This invitation cannot be used"
      lead="It was already used or withdrawn, or is older than seven days."
      foot={
        <Link to="/sign-in" className={LINK}>
          Sign in
        </Link>
      }
    >
      <p>Ask the person who invited you for a new one. If you have already joined, sign in.</p>
    </PublicPage>
  );
}

function SignInToJoin({ token }: { token: string }) {
  return (
    <>
      Have an account?{" "}
      <Link to="/sign-in" search={{ return_to: `/invitations/${token}` }} className={LINK}>
        Sign in
      </Link>{" "}
      to join with it.
    </>
  );
}

function OtherPerson({ busy, onSignOut }: { busy: boolean; onSignOut: () => void }) {
  return (
    <span className="flex items-center gap-2">
      Not you?
      <Button size="sm" busy={busy} onClick={onSignOut}>
        Sign out
      </Button>
    </span>
  );
}

function useAccept(token: string) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (person: NewPerson | undefined) => acceptInvitation(token, person),
    onSuccess: async () => {
      client.clear();
      await navigate({ to: "/" });
    },
  });
}
