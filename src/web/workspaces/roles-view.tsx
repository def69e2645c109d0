import { useState } from "react";
import type { Role } from "../../shared/roles.ts";
import { Tabs } from "../kit/tabs.tsx";
import { PermissionTable } from "./permission-table.tsx";

/** The permissions of each role, read-only. */
export function RolesView({ roles }: { roles: readonly Role[] }) {
  const [chosen, setChosen] = useState<string>();
  const role = roles.find(({ id }) => String(id) === chosen) ?? roles[0];
  if (!role) return null;
  return (
    <Tabs
      label="Role"
      tabs={roles.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={String(role.id)}
      onChange={setChosen}
      className="pt-3"
    >
      <PermissionTable label={`Permissions of ${role.name}`} permissions={role.permissions} />
    </Tabs>
  );
}
