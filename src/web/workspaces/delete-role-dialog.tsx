import { useState } from "react";
import type { Role } from "../../shared/roles.ts";
import type { Workspace } from "../../shared/workspaces.ts";
import { deleteRole } from "../data/projects/change-workspace.ts";
import { errorOf, FormDialog } from "../forms/form-dialog.tsx";
import { useSend } from "../forms/use-send.ts";
import { Field } from "../kit/field.tsx";
import { announce } from "../kit/notices/live-region.ts";
import { Select } from "../kit/select.tsx";

type Props = { workspace: Workspace; role: Role; roles: readonly Role[]; onClose: () => void };

/** Deletes a role. Its members and invitations get another one. */
export function DeleteRoleDialog({ workspace, role, roles, onClose }: Props) {
  const others = roles.filter(({ id }) => id !== role.id);
  const [moveTo, setMoveTo] = useState((others.find(({ name }) => name === "Viewer") ?? others[0])?.id);
  const remove = useSend({
    send: () => deleteRole(workspace.id, role.id, moveTo),
    stale: [["role"], ["member"], ["team"], ["project"], ["workspace_invitation"]],
    onDone: () => {
      onClose();
      announce(`Role ${role.name} deleted`);
    },
  });
  return (
    <FormDialog
      title={`Delete ${role.name}?`}
      submit="Delete role"
      danger
      size="sm"
      busy={remove.isPending}
      error={remove.error}
      fields={["move_to"]}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <Field
        label="Replacement role"
        hint="Given to members, teams and open invitations with this role."
        error={errorOf(remove.error, "move_to")}
      >
        <Select
          value={String(moveTo)}
          onChange={(next) => setMoveTo(Number(next))}
          options={others.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
      </Field>
    </FormDialog>
  );
}
