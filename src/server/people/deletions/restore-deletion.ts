import { sql } from "kysely";
import type { Deletion } from "../../../shared/deletions.ts";
import type { Caller } from "../../access/caller.ts";
import { requireSession } from "../../access/admission.ts";
import { notFound, refused } from "../../answers/errors.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { recordAudit } from "../../record/audit.ts";
import { giveAccessBack } from "./access-rows.ts";
import { deletionColumns } from "./list-deletions.ts";

/**
 * Brings a deleted project or workspace back, with the members, teams, tokens, keys and invitations that it had. 404 if there is no
 * deletion that the caller requested as a member, or as an administrator of its workspace, 403 for a workspace without a session, 422 if it is too late, if the project's
 * workspace is deleted, or if another project has the key now.
 */
export async function restoreDeletion(db: Db, caller: Caller, id: number): Promise<Deletion> {
  return db.transaction().execute(async (tx) => {
    const deletion = await tx
      .selectFrom("deletions")
      .select([...deletionColumns, "workspace_id"])
      .where("id", "=", id)
      .forUpdate()
      .executeTakeFirst();
    if (!deletion) throw noSuchDeletion();
    await requireRight(tx, caller, deletion);
    if (deletion.restorable_until === null) throw refused("It is too late: its data is being deleted.");
    await restoreRows(tx, deletion);
    await giveAccessBack(tx, id);
    const { workspace_id, kind, target_id, name, ...answer } = deletion;
    await recordAudit(tx, {
      kind: `${kind}.restored`,
      workspace_id,
      subject: { type: kind, id: target_id, name },
      details: kind === "project" ? { project_id: target_id, project_key: answer.project_key } : {},
    });
    await tx.deleteFrom("deletions").where("id", "=", id).execute();
    return { ...answer, kind, target_id, name };
  });
}

type Restorable = Deletion & { workspace_id: number };

/** Members of a deleted workspace are in `deleted_access`. */
async function requireRight(tx: Tx, caller: Caller, deletion: Restorable): Promise<void> {
  const { id, kind, workspace_id, requested_by } = deletion;
  const { rows } = await sql<{ is_admin: boolean }>`
    select is_admin from workspace_members
    where workspace_id = ${workspace_id} and user_id = ${caller.user_id} and deactivated_at is null
    union all
    select m.is_admin from deleted_access d, jsonb_populate_record(null::workspace_members, d.content) m
    where d.deletion_id = ${id} and d.table_name = 'workspace_members' and m.user_id = ${caller.user_id}
      and m.deactivated_at is null`.execute(tx);
  const [member] = rows;
  if (!member || (!member.is_admin && requested_by !== caller.user_id)) throw noSuchDeletion();
  if (kind === "workspace") requireSession({ caller }, "restore a workspace");
}

async function restoreRows(tx: Tx, { kind, target_id, workspace_id }: Restorable): Promise<void> {
  if (kind === "workspace")
    await tx.updateTable("workspaces").set({ deleted_at: null }).where("id", "=", target_id).execute();
  const workspace = await tx
    .selectFrom("workspaces")
    .select("id")
    .where("id", "=", workspace_id)
    .where("deleted_at", "is", null)
    .forShare()
    .executeTakeFirst();
  if (!workspace) throw refused("Its workspace is deleted. Restore the workspace first.");
  await tx
    .updateTable("projects")
    .set({ deleted_at: null })
    .where("workspace_id", "=", workspace_id)
    .where("deleted_at", "is not", null)
    .$if(kind === "project", (query) => query.where("id", "=", target_id))
    // Projects that were deleted before their workspace stay deleted.
    .$if(kind === "workspace", (query) =>
      query.where("id", "not in", (where) =>
        where.selectFrom("deletions").select("target_id").where("kind", "=", "project"),
      ),
    )
    .execute()
    .catch((error: { constraint?: string }) => {
      throw error.constraint === "projects_key"
        ? refused("Another project uses its key now. Delete that project first.")
        : error;
    });
}

const noSuchDeletion = () => notFound("There is no such deletion.");
