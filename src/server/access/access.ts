import { sql, type RawBuilder } from "kysely";
import type { Permission } from "../../shared/permissions.ts";
import type { Features } from "../../shared/workspaces.ts";
import type { Db } from "../db/connect.ts";
import type { Caller } from "./caller.ts";

/** What a caller may do in a project: everything, or the permissions of the role. */
export type Access = { all: boolean; permissions: ReadonlySet<string> };

/** A project and where it is: what rules about people need of it. */
export type ProjectRef = { id: number; workspace_id: number };

export type ProjectAccess = {
  project: ProjectRef & { key: string };
  features: Features;
  /** null: the caller has no access to the project. */
  access: Access | null;
};

/**
 * A project by id or key, and what the user may do there; undefined when there is no such project. Workspace
 * administrators and the project's owners may do everything; everybody else what their own membership's role and the
 * roles of their teams together permit (service.md 5). A deactivated member of the workspace may do nothing.
 */
export async function projectAccess(db: Db, ref: string, userId: number): Promise<ProjectAccess | undefined> {
  const byId = /^[1-9][0-9]{0,15}$/.test(ref);
  if (!byId && !/^[A-Z][A-Z0-9]{1,9}$/.test(ref)) return undefined;
  const { rows } = await sql<ProjectRow & Granted>`
    select p.id, p.workspace_id, p.key, w.reports_enabled, w.error_tracking_enabled, g.is_all, g.permissions
    from projects p
    join workspaces w on w.id = p.workspace_id
    left join lateral (${granted(userId)}) g on true
    where ${byId ? sql`p.id = ${ref}` : sql`p.key = ${ref}`}`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  return {
    project: { id: row.id, workspace_id: row.workspace_id, key: row.key },
    features: featuresOf(row),
    access: row.is_all === null ? null : accessOf(row),
  };
}

type FeatureRow = { reports_enabled: boolean; error_tracking_enabled: boolean };
type ProjectRow = FeatureRow & { id: number; workspace_id: number; key: string };
type Granted = { is_all: boolean | null; permissions: string[] | null };

/**
 * An SQL query for what the user may do in the project `p`: one row of `is_all` and `permissions`, the union over all
 * the ways they have access; `is_all` is null when they have none.
 */
export function granted(userId: number): RawBuilder<unknown> {
  return sql`
    select bool_or(g.is_all) as is_all, array_agg(distinct one) filter (where one is not null) as permissions
    from project_grants g left join unnest(g.permissions) as one on true
    where g.project_id = p.id and g.user_id = ${userId}`;
}

const featuresOf = (row: FeatureRow) => ({
  reports: row.reports_enabled,
  error_tracking: row.error_tracking_enabled,
});

const accessOf = ({ is_all, permissions }: Granted): Access => ({
  all: is_all === true,
  permissions: new Set(permissions),
});

export function holds(access: Access | null, permission: Permission): boolean {
  return access !== null && (access.all || access.permissions.has(permission));
}

export type Feature = keyof Features;

/** Those of the workspace `w`, as answers have them. */
export const featuresOfW = sql<Features>`
  json_build_object('reports', w.reports_enabled, 'error_tracking', w.error_tracking_enabled)`;

/**
 * The same rule for sets: an SQL query for the ids of the projects, each once, in which the caller holds the permission
 * and the feature, if there is one, is on. For bulk and cross-project calls.
 */
export function projectsWhere(
  caller: Caller,
  permission: Permission,
  feature?: Feature,
): RawBuilder<unknown> {
  const enabled =
    feature === undefined
      ? sql``
      : sql`join projects p on p.id = g.project_id
        join workspaces w on w.id = p.workspace_id and ${sql.ref(`w.${feature}_enabled`)}`;
  const own =
    caller.kind === "project" ? sql`and g.project_id = ${caller.project_id} and ${caller.active}` : sql``;
  return eachOnce(sql`
    select g.project_id from project_grants g ${enabled}
    where g.user_id = ${caller.user_id} and (g.is_all or ${permission} = any(g.permissions)) ${own}`);
}

/** An SQL query for the ids of the projects the user can access at all, each once. */
export function accessibleProjects(userId: number): RawBuilder<unknown> {
  return eachOnce(sql`select project_id from project_grants where user_id = ${userId}`);
}

/**
 * A list that is known before the rest of the statement runs. Joined, one person's projects were taken for all there
 * are, and every issue of the installation was read to find those of one project.
 */
const eachOnce = (ids: RawBuilder<unknown>) =>
  sql`select unnest(array(select distinct one.id from (${ids}) as one (id))) as id`;

/**
 * And turned round: an SQL query for the ids of the users, each once, who hold the permission in the project; without
 * one, of those who can access it at all.
 */
export function usersWhere(project: ProjectRef, permission?: Permission): RawBuilder<unknown> {
  const may = permission === undefined ? sql`` : sql`and (is_all or ${permission} = any(permissions))`;
  return sql`select distinct user_id from project_grants where project_id = ${project.id} ${may}`;
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
  const { rows } = await sql<FeatureRow & Granted & { project_id: number; user_id: number }>`
    select g.project_id, g.user_id, w.reports_enabled, w.error_tracking_enabled,
      bool_or(g.is_all) as is_all, array_agg(distinct one) filter (where one is not null) as permissions
    from project_grants g left join unnest(g.permissions) as one on true
    join projects p on p.id = g.project_id
    join workspaces w on w.id = p.workspace_id
    where g.project_id = any(${projectIds}::bigint[]) and g.user_id = any(${userIds}::bigint[])
    group by g.project_id, g.user_id, w.id`.execute(db);
  return rows.map((row) => ({
    project_id: row.project_id,
    user_id: row.user_id,
    features: featuresOf(row),
    access: accessOf(row),
  }));
}

/**
 * Whether the feature is on in any workspace the caller is an active member of; for a project token, in its project's.
 */
export async function hasFeatureSomewhere(db: Db, caller: Caller, feature: Feature): Promise<boolean> {
  const enabled = sql.ref(`w.${feature}_enabled`);
  const { rows } = await (
    caller.kind === "project"
      ? sql`select from projects p join workspaces w on w.id = p.workspace_id and ${enabled} where p.id = ${caller.project_id}`
      : sql`select from workspace_members m join workspaces w on w.id = m.workspace_id and ${enabled}
        where m.user_id = ${caller.user_id} and m.deactivated_at is null limit 1`
  ).execute(db);
  return rows.length > 0;
}
