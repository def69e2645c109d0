import { useMutation, useQuery } from "@tanstack/react-query";
import { api, messageOf } from "../api/client.ts";
import { workspacesQuery } from "../data/projects.ts";
import { useProfile } from "../data/session.ts";
import { Button } from "../kit/button.tsx";
import { FormError } from "../kit/form-error.tsx";

/** Sends a test email. Can be skipped, because nothing requires a mail server. */
export function MailStep({ onDone }: { onDone: () => void }) {
  const { email } = useProfile();
  const workspace = useQuery(workspacesQuery).data?.[0];
  const send = useMutation({
    mutationFn: (id: number) => api.post<{ kept: boolean }>(`/api/workspaces/${id}/mail-test`),
  });
  return (
    <div className="flex flex-col gap-3">
      <FormError>{send.error && messageOf(send.error)}</FormError>
      {send.data ? (
        <p role="status">
          {send.data.kept
            ? "There is no mail server yet: mails are kept and listed in the workspace settings, and invitation links can be copied. SMTP_URL and MAIL_FROM set one."
            : `A test mail is on its way to ${email}.`}
        </p>
      ) : (
        <p>Send a test mail to {email} to see whether it arrives, or go on: this can be done later.</p>
      )}
      <div className="flex gap-2">
        <Button
          busy={send.isPending}
          disabled={!workspace}
          onClick={() => workspace && send.mutate(workspace.id)}
        >
          Send a test mail
        </Button>
        <Button variant="primary" onClick={onDone}>
          Continue
        </Button>
      </div>
    </div>
  );
}
