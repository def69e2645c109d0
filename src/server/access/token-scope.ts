import { PERMISSIONS, type Permission } from "../../shared/permissions.ts";
import type { Area, Scope } from "../../shared/token-scopes.ts";

/** The areas and projects that a scoped token is limited to. */
export type TokenScope = {
  scopes: ReadonlySet<Scope>;
  projectIds: ReadonlySet<number>;
  /** The only permissions of its user that the token can have. */
  permissions: ReadonlySet<Permission>;
};

/** The permissions of each area. Reading has those that end with `:read`. */
const PERMISSIONS_OF: Record<Area, (permission: Permission) => boolean> = {
  reports: (permission) => /^(reports|comments|attachments):/.test(permission),
  issues: (permission) => /^(issues|epics|comments|attachments):/.test(permission),
  errors: (permission) => /^(error-groups|comments|attachments):/.test(permission),
};

export function makeTokenScope(scopes: readonly Scope[], projectIds: readonly number[]): TokenScope {
  const permissions = PERMISSIONS.filter((permission) =>
    scopes.some((scope) => {
      const [area, level] = scope.split(":") as [Area, "read" | "write"];
      return PERMISSIONS_OF[area](permission) && (level === "write" || permission.endsWith(":read"));
    }),
  );
  return {
    scopes: new Set(scopes),
    projectIds: new Set(projectIds),
    permissions: new Set(permissions),
  };
}

/** Whether the scope includes reading, or writing, in the area. */
export const coversArea = ({ scopes }: TokenScope, area: Area, reads: boolean): boolean =>
  scopes.has(`${area}:write`) || (reads && scopes.has(`${area}:read`));
