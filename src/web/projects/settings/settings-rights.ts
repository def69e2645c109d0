import type { Project } from "../../../shared/projects.ts";
import type { Role } from "../../../shared/roles.ts";

/** Users can only assign roles whose permissions they hold themselves. */
export function mayGive(project: Pick<Project, "permissions">, role: Pick<Role, "permissions">): boolean {
  return role.permissions.every((permission) => project.permissions.includes(permission));
}

/** The roles to choose from. Roles with more permissions than the user's are shown disabled. */
export function roleOptions(project: Pick<Project, "permissions">, roles: readonly Role[]) {
  return roles.map((role) => ({
    value: String(role.id),
    label: role.name,
    disabled: !mayGive(project, role),
  }));
}

/** The default role of a new member: Member, or the first role the user may assign. */
export function firstRole(project: Pick<Project, "permissions">, roles: readonly Role[]): Role | undefined {
  const given = roles.filter((role) => mayGive(project, role));
  return given.find(({ name }) => name === "Member") ?? given[0];
}
