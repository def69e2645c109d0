import { sql, type RawBuilder } from "kysely";
import type { Permission } from "../../shared/permissions.ts";
import type { Db } from "../db/connect.ts";
import type { Caller } from "./caller.ts";

/** What a caller may do in a project: everything, or the permissions of the role. */
export type Access = { all: boolean; permissions: ReadonlySet<string> };

export type ProjectAccess = {
  project: { id: number; workspace_id: number; key: string };
  features: { reports: boolean; error_tracking: boolean };
  /** null: the caller has no access to the project. */
  access: Access | null;
};

/**
 * A project by id or key, and what the user may do there; undefined when there is no such project.
 * Workspace administrators and the project's owners may do everything (service.md 5).
 */
export async function projectAccess(db: Db, ref: string, userId: number): Promise<ProjectAccess | undefined> {
  const byId = /^[1-9][0-9]{0,15}$/.test(ref);
  if (!byId && !/^[A-Z][A-Z0-9]{1,9}$/.test(ref)) return undefined;
  const row = await db
    .selectFrom("projects as p")
    .innerJoin("workspaces as w", "w.id", "p.workspace_id")
    .leftJoin("workspace_members as wm", (on) =>
      on.onRef("wm.workspace_id", "=", "p.workspace_id").on("wm.user_id", "=", userId),
    )
    .leftJoin("project_members as pm", (on) =>
      on.onRef("pm.project_id", "=", "p.id").on("pm.user_id", "=", userId),
    )
    .leftJoin("roles as r", "r.id", "pm.role_id")
    .select(["p.id", "p.workspace_id", "p.key", "w.reports_enabled", "w.error_tracking_enabled"])
    .select(["wm.is_admin", "pm.is_owner", "r.permissions"])
    .where(byId ? sql<boolean>`p.id = ${ref}` : sql<boolean>`p.key = ${ref}`)
    .executeTakeFirst();
  if (!row) return undefined;
  const all = row.is_admin === true || row.is_owner === true;
  return {
    project: { id: row.id, workspace_id: row.workspace_id, key: row.key },
    features: { reports: row.reports_enabled, error_tracking: row.error_tracking_enabled },
    access: all || row.permissions !== null ? { all, permissions: new Set(row.permissions) } : null,
  };
}

export function holds(access: Access | null, permission: Permission): boolean {
  return access !== null && (access.all || access.permissions.has(permission));
}

export type Feature = "reports" | "error_tracking";

/**
 * The same rule for sets: an SQL query for the ids of the projects in which the caller holds the permission and the
 * feature, if there is one, is on. For bulk and cross-project calls.
 */
export function projectsWhere(
  caller: Caller,
  permission: Permission,
  feature?: Feature,
): RawBuilder<unknown> {
  const enabled = feature === undefined ? sql`` : sql`and ${sql.ref(`w.${feature}_enabled`)}`;
  const own = caller.kind === "project" ? sql`and p.id = ${caller.project_id} and ${caller.active}` : sql``;
  return sql`
    select p.id from projects p
    join workspaces w on w.id = p.workspace_id ${enabled}
    left join workspace_members wm on wm.workspace_id = p.workspace_id and wm.user_id = ${caller.user_id}
    left join project_members pm on pm.project_id = p.id and pm.user_id = ${caller.user_id}
    left join roles r on r.id = pm.role_id
    where (wm.is_admin or pm.is_owner or ${permission} = any(r.permissions)) ${own}`;
}

/** An SQL query for the ids of the projects the user can access at all. */
export function accessibleProjects(userId: number): RawBuilder<unknown> {
  return sql`
    select p.id from projects p
    join workspace_members wm on wm.workspace_id = p.workspace_id and wm.user_id = ${userId}
    left join project_members pm on pm.project_id = p.id and pm.user_id = wm.user_id
    where wm.is_admin or pm.user_id is not null`;
}

/**
 * And turned round: an SQL query for the ids of the users who hold the permission in the project; without one, of
 * those who can access it at all.
 */
export function usersWhere(
  project: { id: number; workspace_id: number },
  permission?: Permission,
): RawBuilder<unknown> {
  const may =
    permission === undefined
      ? sql`pm.user_id is not null`
      : sql`pm.is_owner or ${permission} = any(r.permissions)`;
  return sql`
    select wm.user_id from workspace_members wm
    left join project_members pm on pm.project_id = ${project.id} and pm.user_id = wm.user_id
    left join roles r on r.id = pm.role_id
    where wm.workspace_id = ${project.workspace_id} and (wm.is_admin or ${may})`;
}

export type ProjectReader = {
  project_id: number;
  user_id: number;
  features: ProjectAccess["features"];
  access: Access;
};

/** Which of the users can access which of the projects, and what they may do there: `projectAccess` for many at once. */
export async function projectReaders(
  db: Db,
  projectIds: number[],
  userIds: number[],
): Promise<ProjectReader[]> {
  const rows = await db
    .selectFrom("projects as p")
    .innerJoin("workspaces as w", "w.id", "p.workspace_id")
    .innerJoin("workspace_members as wm", "wm.workspace_id", "p.workspace_id")
    .leftJoin("project_members as pm", (on) =>
      on.onRef("pm.project_id", "=", "p.id").onRef("pm.user_id", "=", "wm.user_id"),
    )
    .leftJoin("roles as r", "r.id", "pm.role_id")
    .select(["p.id as project_id", "wm.user_id", "w.reports_enabled", "w.error_tracking_enabled"])
    .select(["wm.is_admin", "pm.is_owner", "r.permissions"])
    .where("p.id", "=", sql<number>`any(${projectIds}::bigint[])`)
    .where("wm.user_id", "=", sql<number>`any(${userIds}::bigint[])`)
    .where((where) => where.or([where("wm.is_admin", "=", true), where("pm.user_id", "is not", null)]))
    .execute();
  return rows.map((row) => ({
    project_id: row.project_id,
    user_id: row.user_id,
    features: { reports: row.reports_enabled, error_tracking: row.error_tracking_enabled },
    access: { all: row.is_admin || row.is_owner === true, permissions: new Set(row.permissions) },
  }));
}

/** Whether the feature is on in any workspace of the caller; for a project token, in its project's. */
export async function hasFeatureSomewhere(db: Db, caller: Caller, feature: Feature): Promise<boolean> {
  const enabled = sql.ref(`w.${feature}_enabled`);
  const { rows } = await (
    caller.kind === "project"
      ? sql`select from projects p join workspaces w on w.id = p.workspace_id and ${enabled} where p.id = ${caller.project_id}`
      : sql`select from workspace_members m join workspaces w on w.id = m.workspace_id and ${enabled}
        where m.user_id = ${caller.user_id} limit 1`
  ).execute(db);
  return rows.length > 0;
}
