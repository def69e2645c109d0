import { sql, type RawBuilder } from "kysely";
import { PERMISSIONS, type Permission } from "../../shared/permissions.ts";
import type { Features } from "../../shared/workspaces.ts";
import { forbidden } from "../answers/errors.ts";
import type { Db } from "../db/connect.ts";
import { readPrepared } from "../db/read-prepared.ts";
import { grantsOf, type ProjectRef } from "./access-queries.ts";
import type { Caller } from "./caller.ts";
import { scopeOf } from "./token-limits.ts";

/** What a caller may do in a project: everything, or the permissions of the role. */
export type Access = { all: boolean; permissions: ReadonlySet<string> };

export type ProjectAccess = {
  project: ProjectRef & { key: string };
  features: Features;
  /** null if the user has no access to the project. */
  access: Access | null;
};

/** A project by its id or key. */
export type ProjectLookup = { ref: string; userId: number };

/** What the user may do in one project. */
export async function readProjectAccess(
  db: Db,
  ref: string,
  userId: number,
): Promise<ProjectAccess | undefined> {
  const [found] = await readProjectAccesses(db, [{ ref, userId }]);
  return found;
}

/**
 * Finds each project by id or key, and what the user may do there, in order; undefined if there is no such project. Workspace
 * administrators and project owners may do everything. All others have the union of the permissions of their own role and
 * their teams' roles. A deactivated member of the workspace has no access.
 */
export async function readProjectAccesses(
  db: Db,
  asked: ProjectLookup[],
): Promise<(ProjectAccess | undefined)[]> {
  const none = Array<null>(Math.max(0, GENERIC_LENGTH - asked.length)).fill(null);
  const refs = (shape: RegExp) => [...asked.map(({ ref }) => (shape.test(ref) ? ref : null)), ...none];
  const userIds = [...asked.map(({ userId }) => userId), ...none];
  const query = sql<ProjectRow & Grants & { place: number }>`
    select asked.place, p.id, p.workspace_id, p.key, w.reports_enabled, w.error_tracking_enabled, g.is_all, g.permissions
    from unnest(${refs(ID)}::bigint[], ${refs(KEY)}::text[], ${userIds}::bigint[])
      with ordinality as asked (id, key, user_id, place)
    join projects p on p.id = coalesce(asked.id, (
      select id from projects where key = asked.key and deleted_at is null)) and p.deleted_at is null
    join workspaces w on w.id = p.workspace_id
    left join lateral (${grantsOf(sql`asked.user_id`)}) g on true`;
  const accesses = asked.map((): ProjectAccess | undefined => undefined);
  for (const row of await readPrepared(db, "project-access", query.compile(db)))
    accesses[row.place - 1] = {
      project: { id: row.id, workspace_id: row.workspace_id, key: row.key },
      features: featuresOf(row),
      access: row.is_all === null ? null : accessOf(row),
    };
  return accesses;
}

/**
 * Planning this statement takes longer than running it. PostgreSQL's generic plan assumes arrays of ten elements, and is used
 * only if a plan for the actual arrays does not look cheaper. So shorter arrays are padded to ten elements that match nothing.
 */
const GENERIC_LENGTH = 10;

const ID = /^[1-9][0-9]{0,15}$/;
const KEY = /^[A-Z][A-Z0-9]{1,9}$/;

type FeatureRow = { reports_enabled: boolean; error_tracking_enabled: boolean };
type ProjectRow = FeatureRow & { id: number; workspace_id: number; key: string };
type Grants = { is_all: boolean | null; permissions: string[] | null };

const featuresOf = (row: FeatureRow) => ({
  reports: row.reports_enabled,
  error_tracking: row.error_tracking_enabled,
});

const accessOf = ({ is_all, permissions }: Grants): Access => ({
  all: is_all === true,
  permissions: new Set(permissions),
});

/** What remains of its user's access to a project for a caller. */
export function accessThrough(caller: Caller, access: Access): Access {
  const scope = scopeOf(caller);
  if (scope === null) return access;
  const permissions = [...scope.permissions].filter((one) => access.all || access.permissions.has(one));
  return { all: false, permissions: new Set(permissions) };
}

export function holds(access: Access | null, permission: Permission): boolean {
  return access !== null && (access.all || access.permissions.has(permission));
}

/** 403 unless the access includes the permission. */
export function requirePermission(access: Access | null, permission: Permission): void {
  if (!holds(access, permission)) throw missingPermission(permission);
}

export const missingPermission = (permission: Permission) =>
  forbidden(`You need the permission ${permission} in this project.`);

/** Whether the access includes every permission of the other. */
export const holdsAll = (access: Access, other: Access): boolean =>
  (other.all ? PERMISSIONS : [...other.permissions]).every(
    (one) => access.all || access.permissions.has(one),
  );

export type ProjectReader = {
  project_id: number;
  user_id: number;
  features: ProjectAccess["features"];
  access: Access;
};

/** What the users may do in the projects: one row for each pair of a user and a project that they can access. */
export const projectReaders = (db: Db, projectIds: number[], userIds: number[]): Promise<ProjectReader[]> =>
  readersWhere(
    db,
    sql`g.project_id = any(${projectIds}::bigint[]) and g.user_id = any(${userIds}::bigint[])`,
  );

/** What the user may do in the projects that they can access, or only in the given one; sorted by project id. */
export const readerOfProjects = (db: Db, userId: number, projectId?: number): Promise<ProjectReader[]> =>
  readersWhere(
    db,
    sql`g.user_id = ${userId} ${projectId === undefined ? sql`` : sql`and g.project_id = ${projectId}`}`,
  );

async function readersWhere(db: Db, condition: RawBuilder<unknown>): Promise<ProjectReader[]> {
  const { rows } = await sql<FeatureRow & Grants & { project_id: number; user_id: number }>`
    select g.project_id, g.user_id, w.reports_enabled, w.error_tracking_enabled,
      bool_or(g.is_all) as is_all, array_agg(distinct one) filter (where one is not null) as permissions
    from project_grants g left join unnest(g.permissions) as one on true
    join projects p on p.id = g.project_id
    join workspaces w on w.id = p.workspace_id
    where ${condition}
    group by g.project_id, g.user_id, w.id order by g.project_id`.execute(db);
  return rows.map((row) => ({
    project_id: row.project_id,
    user_id: row.user_id,
    features: featuresOf(row),
    access: accessOf(row),
  }));
}
