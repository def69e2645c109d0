import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { Role } from "../../shared/roles.ts";
import type { Workspace } from "../../shared/workspaces.ts";
import { Loaded } from "../forms/loaded.tsx";
import { Panel } from "../forms/panel.tsx";
import { Button } from "../kit/button.tsx";
import { DeleteRoleDialog } from "./delete-role-dialog.tsx";
import { NewRoleDialog } from "./new-role-dialog.tsx";
import { rolesQuery } from "../data/projects/workspaces.ts";
import { RoleItem } from "./role-item.tsx";

type Opened = { kind: "add" } | { kind: "delete"; role: Role } | undefined;

/** Roles are named sets of permissions, given to people and teams per project. */
export function RolesSection({ workspace }: { workspace: Workspace }) {
  const roles = useQuery(rolesQuery(workspace.id));
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  return (
    <Panel
      title="Roles"
      lead="What people can do in a project. Changes apply immediately to everyone with the role."
      actions={
        workspace.is_admin && (
          <Button variant="primary" icon={Plus} onClick={() => setOpened({ kind: "add" })}>
            New role
          </Button>
        )
      }
    >
      <Loaded query={roles}>
        {(list) => (
          <ul aria-label="Roles" className="divide-line divide-y">
            {list.map((role) => (
              <li key={role.id} className="px-4 py-2">
                <RoleItem
                  workspace={workspace}
                  role={role}
                  onDelete={() => setOpened({ kind: "delete", role })}
                />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      {opened?.kind === "add" && (
        <NewRoleDialog workspace={workspace} roles={roles.data ?? []} onClose={close} />
      )}
      {opened?.kind === "delete" && (
        <DeleteRoleDialog workspace={workspace} role={opened.role} roles={roles.data ?? []} onClose={close} />
      )}
    </Panel>
  );
}
