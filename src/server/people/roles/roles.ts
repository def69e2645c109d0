import { sql } from "kysely";
import type { z } from "zod";
import type { Role, roleBody, roleChanges } from "../../../shared/roles.ts";
import { recordAudit } from "../../record/audit.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { requireFreeName } from "../../db/free-name.ts";
import { changed } from "../../db/sent.ts";
import { invalid, notFound } from "../../answers/errors.ts";
import { readPage, type Page, type PageQuery } from "../../answers/page.ts";
import { endLostWatches } from "../../inform/watches/watches.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";

/** By id. */
export function listRoles(db: Db, workspaceId: number, query: PageQuery): Promise<Page<Role>> {
  return readPage(rolesOf(db, workspaceId), query, "r.id");
}

/** 404 when it is not a role of this workspace. */
export async function readRole(db: Db, workspaceId: number, roleId: number): Promise<Role> {
  const row = await rolesOf(db, workspaceId).where("r.id", "=", roleId).executeTakeFirst();
  if (!row) throw notFound("There is no such role.");
  return row;
}

function rolesOf(db: Db, workspaceId: number) {
  return db
    .selectFrom("roles as r")
    .select(["r.id", "r.name", "r.permissions", "r.built_in"])
    .select([
      sql<number>`(select count(*) from project_members m where m.role_id = r.id)`.as("members_count"),
      sql<number>`(select count(*) from project_teams t where t.role_id = r.id)`.as("teams_count"),
    ])
    .select("r.created_at")
    .where("r.workspace_id", "=", workspaceId);
}

/** 422 on `name` when a role of the workspace has it, in whatever case. */
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

/**
 * Changes the sent fields; new permissions are everybody's who has the role. 404, and 422 on `name` as above and for
 * another name of a built-in role.
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
      // A project's creator gets the role Manager, which is found by its name.
      if (before.built_in) throw invalid({ name: ["must stay: the role is built in"] });
      await requireFreeName(tx, { table: "roles", workspace_id: workspaceId }, name, roleId);
    }
    const changes = changed(before, { name, permissions });
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

/** The ids of everybody who has the role in a project, by themselves or by a team. */
export async function holdersOf(tx: Tx, roleId: number): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    select user_id from project_members where role_id = ${roleId}
    union
    select m.user_id from project_teams t join team_members m on m.team_id = t.team_id
    where t.role_id = ${roleId}`.execute(tx);
  return rows.map((row) => row.user_id);
}
