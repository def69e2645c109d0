import { useQuery } from "@tanstack/react-query";
import { EllipsisVertical, MailPlus } from "lucide-react";
import { useState } from "react";
import type { Invitation } from "../../shared/invitations.ts";
import type { Workspace } from "../../shared/workspaces.ts";
import { inviteAgain, type NewInvitation, withdrawInvitation } from "../data/projects/change-workspace.ts";
import { useProjects } from "../data/projects/projects.ts";
import { Loaded } from "../forms/loaded.tsx";
import { Panel, PanelEmpty, PanelList, PanelRow, TwoLines } from "../forms/panel.tsx";
import { useSend } from "../forms/use-send.ts";
import { Badge } from "../kit/badge.tsx";
import { Button } from "../kit/button.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { Menu } from "../kit/menu.tsx";
import { Time, useNow } from "../kit/dates/time.tsx";
import { isExpired } from "../forms/expiry.ts";
import { InvitationLinkDialog } from "./invitation-link-dialog.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { invitationsQuery } from "../data/projects/workspaces.ts";

type Opened =
  | { kind: "invite" }
  | { kind: "link"; invitation: NewInvitation }
  | { kind: "withdraw"; invitation: Invitation }
  | undefined;

/** Invitations that have not been accepted yet. */
export function InvitationsSection({ workspace }: { workspace: Workspace }) {
  const invitations = useQuery(invitationsQuery(workspace.id));
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const again = useInviteAgain(workspace, (invitation) => setOpened({ kind: "link", invitation }));
  const withdraw = useSend({
    send: (id: number) => withdrawInvitation(workspace.id, id),
    stale: [["workspace_invitation"]],
  });
  return (
    <Panel
      title="Invitations"
      lead="Each link works once, within seven days. It is sent by email, and you can also share it yourself."
      actions={
        <Button variant="primary" icon={MailPlus} onClick={() => setOpened({ kind: "invite" })}>
          Invite
        </Button>
      }
    >
      <Loaded query={invitations}>
        {(list) =>
          list.length === 0 ? (
            <PanelEmpty>No open invitations. People who accept one are listed under People.</PanelEmpty>
          ) : (
            <PanelList label="Invitations">
              {list.map((invitation) => (
                <InvitationRow
                  key={invitation.id}
                  invitation={invitation}
                  onAgain={() => again.mutate(invitation)}
                  onWithdraw={() => setOpened({ kind: "withdraw", invitation })}
                />
              ))}
            </PanelList>
          )
        }
      </Loaded>
      {opened?.kind === "invite" && (
        <InviteDialog
          workspace={workspace}
          onDone={(invitation) => setOpened({ kind: "link", invitation })}
          onClose={close}
        />
      )}
      {opened?.kind === "link" && <InvitationLinkDialog invitation={opened.invitation} onClose={close} />}
      {opened?.kind === "withdraw" && (
        <ConfirmDialog
          open
          onClose={close}
          title={`Withdraw the invitation for ${opened.invitation.email}?`}
          confirm="Withdraw"
          done={`Invitation for ${opened.invitation.email} withdrawn`}
          onConfirm={() => withdraw.mutateAsync(opened.invitation.id)}
        >
          Its link will stop working.
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function useInviteAgain(workspace: Workspace, onDone: (invitation: NewInvitation) => void) {
  return useSend({
    send: (invitation: Invitation) => inviteAgain(workspace.id, invitation),
    stale: [["workspace_invitation"], ["mail"]],
    onDone,
    failed: "The invitation could not be sent again",
  });
}

type RowProps = { invitation: Invitation; onAgain: () => void; onWithdraw: () => void };

function InvitationRow({ invitation, onAgain, onWithdraw }: RowProps) {
  const all = useProjects();
  const { email, is_admin, projects, expires_at } = invitation;
  const expired = isExpired(invitation, useNow());
  const names = projects.map(
    ({ project_id }) => all.find(({ id }) => id === project_id)?.name ?? "a project",
  );
  return (
    <PanelRow
      end={
        <Menu
          label={`Actions for ${email}`}
          align="end"
          trigger={<IconButton size="sm" icon={EllipsisVertical} label={`Actions for ${email}`} />}
          items={[
            { label: "Send again", onSelect: onAgain },
            { label: "Withdraw", danger: true, onSelect: onWithdraw },
          ]}
        />
      }
    >
      <TwoLines
        title={email}
        badges={
          <>
            {is_admin && <Badge tone="accent">Administrator</Badge>}
            {expired && <Badge tone="warn">Expired</Badge>}
          </>
        }
        text={
          <>
            {expired ? "Expired" : "Expires"} <Time at={expires_at} />
            {names.length > 0 && ` · ${names.join(", ")}`}
          </>
        }
      />
    </PanelRow>
  );
}
