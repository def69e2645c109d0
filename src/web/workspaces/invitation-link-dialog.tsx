import { ShownOnce } from "../forms/shown-once.tsx";
import type { NewInvitation } from "./invite-dialog.tsx";

/** The link of an invitation, right after it was made. */
export function InvitationLinkDialog({
  invitation,
  onClose,
}: {
  invitation: NewInvitation;
  onClose: () => void;
}) {
  return (
    <ShownOnce
      title={`${invitation.email} is invited`}
      description="A mail with the link is on its way. Where no mail server is set up, pass the link on yourself."
      label="Link"
      value={invitation.link}
      copy="Copy link"
      hint="It is shown only now. Whoever has it can join, once, within seven days."
      onClose={onClose}
    />
  );
}
