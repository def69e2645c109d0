import { useState } from "react";
import type { Role } from "../../shared/roles.ts";
import type { Workspace } from "../../shared/workspaces.ts";
import { createRole } from "../data/projects/change-workspace.ts";
import { errorOf, FormDialog } from "../forms/form-dialog.tsx";
import { useSend } from "../forms/use-send.ts";
import { NameField } from "../forms/name-field.tsx";
import { Field } from "../kit/field.tsx";
import { Select } from "../kit/select.tsx";
import { PermissionTable } from "./permission-table.tsx";

type Props = { workspace: Workspace; roles: readonly Role[]; onClose: () => void };

/** Creates a role, based on an existing one. */
export function NewRoleDialog({ workspace, roles, onClose }: Props) {
  const [name, setName] = useState("");
  const [fromId, setFromId] = useState<number>();
  const [changed, setPermissions] = useState<readonly string[]>();
  // The roles may load after the dialog has opened.
  const from =
    roles.find(({ id, name: its }) => (fromId === undefined ? its === "Member" : id === fromId)) ?? roles[0];
  const permissions = changed ?? from?.permissions ?? [];
  const make = useSend({
    send: () => createRole(workspace.id, { name, permissions }),
    stale: [["role"]],
    onDone: onClose,
  });
  const begin = (id: number) => {
    setFromId(id);
    setPermissions(undefined);
  };
  return (
    <FormDialog
      title="New role"
      submit="Create role"
      size="lg"
      busy={make.isPending}
      dirty={name !== "" || fromId !== undefined || changed !== undefined}
      error={make.error}
      fields={["name"]}
      onSubmit={() => make.mutate()}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <NameField value={name} onChange={setName} error={errorOf(make.error, "name")} />
        <Field label="Start from">
          <Select
            value={String(from?.id)}
            onChange={(next) => begin(Number(next))}
            options={roles.map((role) => ({ value: String(role.id), label: role.name }))}
          />
        </Field>
      </div>
      <PermissionTable
        label="Permissions of the new role"
        permissions={permissions}
        onChange={setPermissions}
      />
    </FormDialog>
  );
}
