import { sql } from "kysely";
import { recordAudit } from "../../record/audit.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { invalid, refused } from "../../answers/errors.ts";
import { endLostWatches } from "../../inform/watches/watches.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { holdersOf, readRole } from "./read-roles.ts";

/**
 * Deletes a role. Members, teams and invitations with the role get the role `moveTo` instead. 404 if there is no such
 * role; 422 if it is built in, if it is in use and `moveTo` is missing, and on `move_to` if that is not another role of
 * the workspace.
 */
export async function deleteRole(
  db: Db,
  workspaceId: number,
  roleId: number,
  moveTo: number | undefined,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const role = await readRole(tx, workspaceId, roleId);
    if (role.built_in) throw refused("A built-in role cannot be deleted.");
    await lockUses(tx, roleId);
    const holders = await holdersOf(tx, roleId);
    if (moveTo === undefined) await requireUnused(tx, roleId);
    else await moveUses(tx, workspaceId, roleId, moveTo);
    await tx.deleteFrom("roles").where("id", "=", roleId).execute();
    await endLostWatches(tx, workspaceId, holders);
    await recordAudit(tx, {
      kind: "role.deleted",
      workspace_id: workspaceId,
      subject: { type: "role", id: roleId, name: role.name },
      details: { move_to: moveTo },
    });
  });
}

/**
 * Waits for concurrent transactions that assign the role, and makes later ones fail. Locks everything that has the role before
 * the role itself, in the same order as accepting an invitation and starting to watch something, to avoid deadlocks.
 */
async function lockUses(tx: Tx, roleId: number): Promise<void> {
  await sql`select from invitations
    where id in (select invitation_id from invitation_projects where role_id = ${roleId})
    order by id for update`.execute(tx);
  await sql`select from project_members where role_id = ${roleId}
    order by project_id, user_id for update`.execute(tx);
  await sql`select from project_teams where role_id = ${roleId}
    order by project_id, team_id for update`.execute(tx);
  await sql`select from roles where id = ${roleId} for update`.execute(tx);
}

/** Expired invitations do not count; their rows are deleted with the role. */
async function requireUnused(tx: Tx, roleId: number): Promise<void> {
  const { rows } = await sql<{ members: number; teams: number; invitations: number }>`
    select (select count(*) from project_members where role_id = ${roleId}) as members,
      (select count(*) from project_teams where role_id = ${roleId}) as teams,
      (select count(distinct i.id) from invitation_projects p join invitations i on i.id = p.invitation_id
        where p.role_id = ${roleId} and i.expires_at > now()) as invitations`.execute(tx);
  const uses = Object.entries(rows[0] ?? {}).filter(([, count]) => count > 0);
  if (uses.length === 0) return;
  const named = uses.map(([kind, count]) => `${count} ${count === 1 ? kind.slice(0, -1) : kind}`);
  throw refused(`The role is in use: ${named.join(", ")}. Name another role for them in move_to.`);
}

async function moveUses(tx: Tx, workspaceId: number, roleId: number, moveTo: number): Promise<void> {
  const other = await tx
    .selectFrom("roles")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", moveTo)
    .where("id", "<>", roleId)
    .forKeyShare()
    .executeTakeFirst();
  if (!other) throw invalid({ move_to: ["is not another role of the workspace"] });
  for (const table of ["project_members", "project_teams", "invitation_projects"] as const)
    await tx.updateTable(table).set({ role_id: moveTo }).where("role_id", "=", roleId).execute();
}
