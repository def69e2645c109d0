import type { z } from "zod";
import type { Role, roleChanges } from "../../../shared/roles.ts";
import { invalid } from "../../answers/errors.ts";
import type { Db } from "../../db/connect.ts";
import { requireFreeName } from "../../db/require-free-name.ts";
import { changedColumns } from "../../db/patch-columns.ts";
import { endLostWatches } from "../../inform/watches/watches.ts";
import { recordAudit } from "../../record/audit.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { holdersOf, readRole } from "./read-roles.ts";

/**
 * Updates the sent fields. New permissions apply at once to everybody with the role. 404 if there is no such role; 422 on
 * `name` if another role has it, or if the role is built in.
 */
export async function updateRole(
  db: Db,
  workspaceId: number,
  roleId: number,
  body: z.output<typeof roleChanges>,
): Promise<Role> {
  return db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const before = await readRole(tx, workspaceId, roleId);
    const { name, permissions } = body;
    if (name !== undefined && name !== before.name) {
      // Creating a project looks up the role Manager by its name.
      if (before.built_in) throw invalid({ name: ["cannot be changed: the role is built in"] });
      await requireFreeName(tx, { table: "roles", workspace_id: workspaceId }, name, roleId);
    }
    const changes = changedColumns(before, { name, permissions });
    if (!changes) return before;
    await tx.updateTable("roles").set(changes).where("id", "=", roleId).execute();
    if (permissions && before.permissions.some((one) => !permissions.some((other) => other === one)))
      await endLostWatches(tx, workspaceId, await holdersOf(tx, roleId));
    await recordAudit(tx, {
      kind: "role.changed",
      workspace_id: workspaceId,
      subject: { type: "role", id: roleId, name: before.name },
      details: changes,
    });
    return readRole(tx, workspaceId, roleId);
  });
}
