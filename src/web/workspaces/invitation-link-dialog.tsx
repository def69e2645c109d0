import { ShownOnce } from "../forms/shown-once.tsx";
import type { NewInvitation } from "../data/projects/change-workspace.ts";

/** The link of a new invitation. */
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
      description="An email with the link is on its way. If no mail server is configured, share the link yourself."
      label="Link"
      value={invitation.link}
      copy="Copy link"
      hint="It won’t be shown again. Anyone with the link can use it to join, once, within seven days."
      onClose={onClose}
    />
  );
}
