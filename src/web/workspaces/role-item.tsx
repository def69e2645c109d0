import { EllipsisVertical } from "lucide-react";
import { useState } from "react";
import type { Role } from "../../shared/roles.ts";
import type { Workspace } from "../../shared/workspaces.ts";
import { changeRole } from "../data/projects/change-workspace.ts";
import { reasonOf } from "../forms/reason.ts";
import { useSend } from "../forms/use-send.ts";
import { Badge } from "../kit/badge.tsx";
import { Button } from "../kit/button.tsx";
import { Disclosure } from "../kit/disclosure.tsx";
import { LeaveQuestion } from "../page/leave-question.tsx";
import { FormError } from "../kit/form-error.tsx";
import { IconButton } from "../kit/icon-button.tsx";
import { Menu } from "../kit/menu.tsx";
import { toast } from "../kit/notices/toast.ts";
import { NameDialog } from "./name-dialog.tsx";
import { countText, samePermissions } from "./permission-grid.ts";
import { PermissionTable } from "./permission-table.tsx";

type Props = { workspace: Workspace; role: Role; onDelete: () => void };

/** A role; it expands to show its permissions. A built-in role cannot be renamed or deleted. */
export function RoleItem({ workspace, role, onDelete }: Props) {
  const [isRenaming, setRenaming] = useState(false);
  const rename = useSend({
    send: (name: string) => changeRole(workspace.id, role.id, { name }),
    stale: [["role"]],
    onDone: () => setRenaming(false),
  });
  return (
    <>
      <Disclosure
        title={
          <span className="flex flex-wrap items-center gap-x-2">
            <span dir="auto" className="truncate">
              {role.name}
            </span>
            {role.built_in && <Badge>Built in</Badge>}
            <span className="text-text-3 text-sm font-normal">
              {countText(role.permissions)} · {usesText(role)}
            </span>
          </span>
        }
        aside={
          workspace.is_admin &&
          !role.built_in && (
            <Menu
              label={`Actions for ${role.name}`}
              align="end"
              trigger={<IconButton size="sm" icon={EllipsisVertical} label={`Actions for ${role.name}`} />}
              items={[
                { label: "Rename", onSelect: () => setRenaming(true) },
                { label: "Delete role", danger: true, onSelect: onDelete },
              ]}
            />
          )
        }
      >
        {workspace.is_admin ? (
          <EditablePermissions workspace={workspace} role={role} />
        ) : (
          <PermissionTable label={`Permissions of ${role.name}`} permissions={role.permissions} />
        )}
      </Disclosure>
      {isRenaming && (
        <NameDialog
          title={`Rename ${role.name}`}
          submit="Rename"
          name={role.name}
          busy={rename.isPending}
          error={rename.error}
          onSubmit={(name) => rename.mutate(name)}
          onClose={() => setRenaming(false)}
        />
      )}
    </>
  );
}

function usesText({ members_count, teams_count }: Role): string {
  const members = members_count === 1 ? "1 member" : `${members_count} members`;
  if (teams_count === 0) return members_count === 0 ? "not assigned" : members;
  return `${members}, ${teams_count === 1 ? "1 team" : `${teams_count} teams`}`;
}

function EditablePermissions({ workspace, role }: { workspace: Workspace; role: Role }) {
  const [draft, setDraft] = useState<string[]>();
  const permissions = draft ?? role.permissions;
  const isChanged = !samePermissions(permissions, role.permissions);
  const save = useSend({
    send: () => changeRole(workspace.id, role.id, { permissions }),
    stale: [["role"], ["project"]],
    onDone: () => {
      setDraft(undefined);
      toast({ title: `${role.name} saved`, tone: "success" });
    },
  });
  return (
    <div className="flex flex-col gap-3 pb-2">
      <PermissionTable label={`Permissions of ${role.name}`} permissions={permissions} onChange={setDraft} />
      <FormError>{save.error && reasonOf(save.error)}</FormError>
      <LeaveQuestion dirty={isChanged && !save.isPending} />
      <div className="flex gap-2">
        <Button variant="primary" disabled={!isChanged} busy={save.isPending} onClick={() => save.mutate()}>
          Save permissions
        </Button>
        {isChanged && <Button onClick={() => setDraft(undefined)}>Discard changes</Button>}
      </div>
    </div>
  );
}
