import type { Access } from "../../../access/project-access.ts";
import { forbidden } from "../../../answers/errors.ts";

/**
 * People with the permission `project:update` manage members, but only owners and administrators may make, change or
 * remove owners: nobody can raise someone above themselves.
 */
export function requireFullAccess(access: Access) {
  if (!access.all) throw forbidden("Only an owner or an administrator may add, change or remove owners.");
}
