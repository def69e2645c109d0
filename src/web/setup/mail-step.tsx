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
            ? "No mail server is configured. Until you set SMTP_URL and MAIL_FROM, emails are listed in the workspace settings, and you can share invitation links yourself."
            : `A test email is on its way to ${email}.`}
        </p>
      ) : (
        <p>Send a test email to {email} to check the configuration. You can also do this later.</p>
      )}
      <div className="flex gap-2">
        <Button
          busy={send.isPending}
          disabled={!workspace}
          onClick={() => workspace && send.mutate(workspace.id)}
        >
          Send test email
        </Button>
        <Button variant="primary" onClick={onDone}>
          Continue
        </Button>
      </div>
    </div>
  );
}
