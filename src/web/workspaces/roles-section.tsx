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
import { rolesQuery } from "../data/workspaces.ts";
import { RoleItem } from "./role-item.tsx";

type Opened = { kind: "add" } | { kind: "delete"; role: Role } | undefined;

/** Named sets of permissions. In each project everybody has one, by themselves or by a team. */
export function RolesSection({ workspace }: { workspace: Workspace }) {
  const roles = useQuery(rolesQuery(workspace.id));
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  return (
    <Panel
      title="Roles"
      lead="What a person may do in a project. A change is everybody's who has the role, at once."
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
