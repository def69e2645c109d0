import { useMutation, useQuery } from "@tanstack/react-query";
import type { Workspace } from "../../shared/workspaces.ts";
import { messageOf } from "../api/client.ts";
import { sendTestMail } from "../data/projects/change-workspace.ts";
import { workspacesQuery } from "../data/projects/projects.ts";
import { useProfile } from "../data/account/session.ts";
import { mailSetupQuery } from "../data/projects/workspaces.ts";
import { Button } from "../kit/button.tsx";
import { ErrorState } from "../kit/error-state.tsx";
import { FormError } from "../kit/form-error.tsx";
import { Spinner } from "../kit/spinner.tsx";

/** Says whether a mail server is configured, and sends a test email. Nothing requires a mail server. */
export function MailStep({ onDone }: { onDone: () => void }) {
  const { data, error, refetch } = useQuery(workspacesQuery);
  const [workspace] = data ?? [];
  return (
    <div className="flex flex-col gap-3">
      {workspace ? (
        <MailServer workspace={workspace} />
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <Spinner label="Loading" />
      )}
      <div>
        <Button variant="primary" onClick={onDone}>
          Continue
        </Button>
      </div>
    </div>
  );
}

function MailServer({ workspace }: { workspace: Workspace }) {
  const { email } = useProfile();
  const { data: setup, error, refetch } = useQuery(mailSetupQuery(workspace.id));
  const send = useMutation({
    mutationFn: () => sendTestMail(workspace.id),
  });
  if (error) return <ErrorState error={error} retry={() => void refetch()} />;
  if (!setup) return <Spinner label="Loading" />;
  if (!setup.configured)
    return (
      <p>
        No mail server is configured. Until you set SMTP_URL and MAIL_FROM, emails are listed in the workspace
        settings, and you can share invitation links yourself.
      </p>
    );
  return (
    <>
      <FormError>{send.error && messageOf(send.error)}</FormError>
      {send.isSuccess ? (
        <p role="status">A test email is on its way to {email}.</p>
      ) : (
        <p>A mail server is configured. Send a test email to {email} to check it, now or later.</p>
      )}
      <div>
        <Button busy={send.isPending} onClick={() => send.mutate()}>
          Send test email
        </Button>
      </div>
    </>
  );
}
