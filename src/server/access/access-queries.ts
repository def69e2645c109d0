import { sql, type RawBuilder } from "kysely";
import type { Permission } from "../../shared/permissions.ts";
import type { Caller } from "./caller.ts";
import type { Feature } from "./features.ts";
import { forToken, scopeOf } from "./token-limits.ts";

/**
 * The access rules as SQL queries over sets, for lists, bulk calls and notifications. They read the view `project_grants`,
 * which has one row for each way a user has access to a project.
 */

/** A project with its workspace, because access rules depend on both. */
export type ProjectRef = { id: number; workspace_id: number };

/**
 * Selects what the user may do in the project `p` of the surrounding query: `is_all` and `permissions`, the union over all
 * the ways they have access. `is_all` is null without access.
 */
export function grantsOf(userId: number | RawBuilder<number>): RawBuilder<unknown> {
  return sql`
    select bool_or(g.is_all) as is_all, array_agg(distinct one) filter (where one is not null) as permissions
    from project_grants g left join unnest(g.permissions) as one on true
    where g.project_id = p.id and g.user_id = ${userId}`;
}

/**
 * Selects the ids, without duplicates, of the projects where the caller holds the permission and the given feature, if any,
 * is on.
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
  const mayToken =
    caller.kind === "project" ? caller.active : (scopeOf(caller)?.permissions.has(permission) ?? true);
  return distinctIds(sql`
    select g.project_id from project_grants g ${enabled}
    where g.user_id = ${caller.user_id} and (g.is_all or ${permission} = any(g.permissions))
      and ${mayToken} and ${forToken(caller, sql`g.project_id`)}`);
}

/** Selects the ids, without duplicates, of the projects that the user has any access to. */
export function accessibleProjects(userId: number): RawBuilder<unknown> {
  return distinctIds(sql`select project_id from project_grants where user_id = ${userId}`);
}

/**
 * As an array subquery, PostgreSQL runs this once, before the rest of the statement. With a plain join, the planner assumed
 * that one person's projects are all projects, and read every issue of the installation to find those of one project.
 */
const distinctIds = (ids: RawBuilder<unknown>) =>
  sql`select unnest(array(select distinct one.id from (${ids}) as one (id))) as id`;

/**
 * Selects the ids, without duplicates, of the users who hold the permission in the project; without a permission, of the
 * users who have any access to it.
 */
export function usersWhere(project: Pick<ProjectRef, "id">, permission?: Permission): RawBuilder<unknown> {
  const may = permission === undefined ? sql`` : sql`and (is_all or ${permission} = any(permissions))`;
  return sql`select distinct user_id from project_grants where project_id = ${project.id} ${may}`;
}
