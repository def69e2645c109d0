import type { Project } from "../../../shared/projects.ts";
import type { Role } from "../../../shared/roles.ts";

/** A role is given only by somebody who may do all of it themselves. */
export function mayGive(project: Pick<Project, "permissions">, role: Pick<Role, "permissions">): boolean {
  return role.permissions.every((permission) => project.permissions.includes(permission));
}

/** The roles to choose from; one that may do more than the person is shown and cannot be chosen. */
export function roleOptions(project: Pick<Project, "permissions">, roles: readonly Role[]) {
  return roles.map((role) => ({
    value: String(role.id),
    label: role.name,
    disabled: !mayGive(project, role),
  }));
}

/** What somebody new is given unless another is chosen: Member, or the first role there is to give. */
export function firstRole(project: Pick<Project, "permissions">, roles: readonly Role[]): Role | undefined {
  const given = roles.filter((role) => mayGive(project, role));
  return given.find(({ name }) => name === "Member") ?? given[0];
}
