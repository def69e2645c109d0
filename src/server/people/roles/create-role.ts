import type { z } from "zod";
import type { Role, roleBody } from "../../../shared/roles.ts";
import type { Db } from "../../db/connect.ts";
import { requireFreeName } from "../../db/require-free-name.ts";
import { recordAudit } from "../../record/audit.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { readRole } from "./read-roles.ts";

/** 422 on `name` if another role of the workspace has it, ignoring case. */
export async function createRole(
  db: Db,
  workspaceId: number,
  body: z.output<typeof roleBody>,
): Promise<Role> {
  return db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await requireFreeName(tx, { table: "roles", workspace_id: workspaceId }, body.name);
    const { id } = await tx
      .insertInto("roles")
      .values({ workspace_id: workspaceId, name: body.name, permissions: body.permissions })
      .returning("id")
      .executeTakeFirstOrThrow();
    await recordAudit(tx, {
      kind: "role.created",
      workspace_id: workspaceId,
      subject: { type: "role", id, name: body.name },
      details: { permissions: body.permissions },
    });
    return readRole(tx, workspaceId, id);
  });
}
