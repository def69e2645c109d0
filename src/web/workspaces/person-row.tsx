import { EllipsisVertical } from "lucide-react";
import { useState } from "react";
import type { Workspace, WorkspaceMember } from "../../shared/workspaces.ts";
import { changePerson, removePerson } from "../data/projects/change-workspace.ts";
import { nameOf } from "../data/projects/people.ts";
import { PanelRow, TwoLines } from "../forms/panel.tsx";
import { reasonOf } from "../forms/reason.ts";
import { useSend } from "../forms/use-send.ts";
import { useProfile } from "../data/account/session.ts";
import { Avatar } from "../kit/avatar.tsx";
import { Badge } from "../kit/badge.tsx";
import { ConfirmDialog } from "../kit/confirm-dialog.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { Menu } from "../kit/menu.tsx";

type Props = { workspace: Workspace; person: WorkspaceMember };

type Asking = "demote" | "deactivate" | "remove" | undefined;

/** A workspace member, with the actions for administrators. */
export function PersonRow({ workspace, person }: Props) {
  const [asking, setAsking] = useState<Asking>();
  const profile = useProfile();
  const name = nameOf(person);
  const isSelf = person.user_id === profile.id;
  const change = useChangePerson(workspace, person, `${name} could not be changed`);
  return (
    <PanelRow
      end={
        workspace.is_admin && (
          <Menu
            label={`Actions for ${name}`}
            align="end"
            trigger={<IconButton size="sm" icon={EllipsisVertical} label={`Actions for ${name}`} />}
            items={[
              person.is_admin
                ? { label: "Remove as administrator", onSelect: () => setAsking("demote") }
                : { label: "Make administrator", onSelect: () => change.mutate({ is_admin: true }) },
              person.active
                ? { label: "Deactivate", onSelect: () => setAsking("deactivate") }
                : { label: "Activate", onSelect: () => change.mutate({ active: true }) },
              "separator",
              { label: "Remove from workspace", danger: true, onSelect: () => setAsking("remove") },
            ]}
          />
        )
      }
    >
      <Avatar person={person} size={32} />
      <TwoLines
        title={name}
        text={`@${person.username}`}
        badges={
          <>
            {isSelf && <span className="text-text-3 text-sm">you</span>}
            {person.is_admin && <Badge tone="accent">Administrator</Badge>}
            {!person.active && <Badge tone="warn">Deactivated</Badge>}
          </>
        }
      />
      <Confirm workspace={workspace} person={person} asking={asking} onClose={() => setAsking(undefined)} />
    </PanelRow>
  );
}

function useChangePerson(workspace: Workspace, person: WorkspaceMember, failed?: string) {
  const { id } = useProfile();
  const isSelf = person.user_id === id;
  return useSend<{ is_admin?: boolean; active?: boolean } | "remove">({
    send: async (input) => {
      try {
        await (input === "remove"
          ? removePerson(workspace.id, person.user_id)
          : changePerson(workspace.id, person.user_id, input));
      } catch (error) {
        throw new Error(reasonOf(error), { cause: error });
      }
    },
    stale: [["member"], ["team"], ...(isSelf ? [["workspace"], ["project"], ["profile"]] : [])],
    ...(failed === undefined ? {} : { failed }),
  });
}

function Confirm({ workspace, person, asking, onClose }: Props & { asking: Asking; onClose: () => void }) {
  const change = useChangePerson(workspace, person);
  const name = nameOf(person);
  return (
    <>
      <ConfirmDialog
        open={asking === "demote"}
        onClose={onClose}
        title={`Remove ${name} as administrator?`}
        confirm="Remove"
        done={`${name} is no longer an administrator`}
        tone="primary"
        onConfirm={() => change.mutateAsync({ is_admin: false })}
      >
        They keep their roles in projects.
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === "deactivate"}
        onClose={onClose}
        title={`Deactivate ${name}?`}
        confirm="Deactivate"
        done={`${name} deactivated`}
        onConfirm={() => change.mutateAsync({ active: false })}
      >
        They and their tokens will lose access to {workspace.name}. Activating them again restores it.
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === "remove"}
        onClose={onClose}
        title={`Remove ${name} from ${workspace.name}?`}
        confirm="Remove"
        done={`${name} removed`}
        onConfirm={() => change.mutateAsync("remove")}
      >
        They will lose their projects and teams, and their tokens will stop working. What they wrote is kept.
      </ConfirmDialog>
    </>
  );
}
