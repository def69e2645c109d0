import { EllipsisVertical } from "lucide-react";
import { useState } from "react";
import type { Project, ProjectMember } from "../../../shared/projects.ts";
import type { Role } from "../../../shared/roles.ts";
import { projectMembers } from "../../data/projects/project-parts.ts";
import { nameOf } from "../../data/projects/people.ts";
import { useProfile } from "../../data/account/session.ts";
import { Avatar } from "../../kit/avatar.tsx";
import { Badge } from "../../kit/badge.tsx";
import { ConfirmDialog } from "../../kit/confirm-dialog.tsx";
import { IconButton } from "../../kit/icon-button.tsx";
import { Menu } from "../../kit/menu.tsx";
import { Select } from "../../kit/select.tsx";
import { PanelRow, TwoLines } from "../../forms/panel.tsx";
import { roleOptions } from "./settings-rights.ts";
import { useSend } from "../../forms/use-send.ts";
import { useChangeMember } from "../../data/projects/change-project-parts.ts";

type Props = {
  project: Project;
  member: ProjectMember;
  roles: readonly Role[];
  mayManage: boolean;
  /** Whether the user may add, change and remove owners. */
  mayOwn: boolean;
};

export function MemberRow({ project, member, roles, mayManage, mayOwn }: Props) {
  const [isRemoving, setRemoving] = useState(false);
  const name = nameOf(member);
  const change = useChangeMember(project.id, member);
  const mayChange = mayManage && (mayOwn || !member.is_owner);
  const role = roles.find(({ id }) => id === member.role_id);
  return (
    <PanelRow
      end={
        mayChange ? (
          <>
            <Select
              label={`Role of ${name}`}
              className="w-36"
              value={String(member.role_id)}
              onChange={(next) => change.mutate({ role_id: Number(next) })}
              options={roleOptions(project, roles)}
            />
            <Menu
              label={`Actions for ${name}`}
              align="end"
              trigger={<IconButton size="sm" icon={EllipsisVertical} label={`Actions for ${name}`} />}
              items={[
                mayOwn && {
                  label: member.is_owner ? "Remove as owner" : "Make owner",
                  onSelect: () => change.mutate({ is_owner: !member.is_owner }),
                },
                mayOwn && "separator",
                { label: "Remove from project", danger: true, onSelect: () => setRemoving(true) },
              ]}
            />
          </>
        ) : (
          <span className="text-text-2">{role?.name}</span>
        )
      }
    >
      <Avatar person={member} size={32} />
      <TwoLines
        title={name}
        text={`@${member.username}`}
        badges={
          <>
            {member.is_owner && <Badge tone="accent">Owner</Badge>}
            {member.is_admin && <Badge>Administrator</Badge>}
            {!member.active && <Badge tone="warn">Deactivated</Badge>}
          </>
        }
      />
      <RemoveMember project={project} member={member} open={isRemoving} onClose={() => setRemoving(false)} />
    </PanelRow>
  );
}

type RemoveProps = { project: Project; member: ProjectMember; open: boolean; onClose: () => void };

function RemoveMember({ project, member, open, onClose }: RemoveProps) {
  const { id } = useProfile();
  const isSelf = member.user_id === id;
  const remove = useSend({
    send: () => projectMembers.delete(project.id, member.user_id),
    stale: [["member", project.id], ["people", project.id], ...(isSelf ? [["project"]] : [])],
  });
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Remove ${nameOf(member)} from ${project.name}?`}
      confirm="Remove"
      done={`${nameOf(member)} removed`}
      onConfirm={() => remove.mutateAsync()}
    >
      {isSelf
        ? "You will lose access, unless one of your teams has it."
        : "They will lose access, unless one of their teams has it."}{" "}
      Issues and comments are kept.
    </ConfirmDialog>
  );
}
