import { useQuery } from "@tanstack/react-query";
import { MailWarning } from "lucide-react";
import { RELEASED_DOMAIN } from "../../shared/released-domain.ts";
import { cancelAddressChange, sendConfirmation } from "../data/account/change-account.ts";
import { signInMethodsQuery } from "../data/account/sign-in.ts";
import { profileQuery, useProfile } from "../data/account/session.ts";
import { useSend } from "../forms/use-send.ts";
import { Button } from "../kit/button.tsx";
import { toast } from "../kit/notices/toast.ts";

/** Says which address has to be confirmed, if any. Without a mail server, addresses cannot be confirmed. */
export function UnconfirmedAddress() {
  const { email, email_verified, pending_email } = useProfile();
  const sendsMail = useQuery(signInMethodsQuery).data?.mail ?? false;
  const isReleased = email.endsWith(`@${RELEASED_DOMAIN}`);
  const stale = [profileQuery.queryKey];
  const again = useSend({
    send: sendConfirmation,
    stale,
    onDone: () => toast({ title: `Link sent to ${pending_email ?? email}`, tone: "success" }),
    failed: "The link could not be sent",
  });
  const cancel = useSend({
    send: cancelAddressChange,
    stale,
    onDone: () => toast({ title: `Your address is still ${email}`, tone: "success" }),
    failed: "The change could not be canceled",
  });
  if (pending_email === null && (email_verified || !sendsMail)) return null;
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 rounded-md border border-warn bg-warn-tint px-3 py-2"
    >
      <MailWarning size={16} className="shrink-0 text-warn" />
      <div className="min-w-0 flex-[1_1_16rem]">
        <p className="font-medium">Confirm your address</p>
        <p>{textFor({ email, pending_email, isReleased })}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {(pending_email !== null || !isReleased) && (
          <Button busy={again.isPending} onClick={() => again.mutate()}>
            Send again
          </Button>
        )}
        {pending_email !== null && (
          <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel
          </Button>
        )}
      </div>
    </div>
  );
}

type Address = { email: string; pending_email: string | null; isReleased: boolean };

function textFor({ email, pending_email, isReleased }: Address): string {
  if (pending_email !== null)
    return `Open the link that was sent to ${pending_email}. ${isReleased ? "Until then, you get no email." : `Until then, your address is ${email}.`}`;
  return isReleased
    ? "Your former address was confirmed for another account. Enter another address below."
    : `Open the link that was sent to ${email}. Until then, you get no email notifications.`;
}
