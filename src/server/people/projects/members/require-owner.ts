import { requireSession } from "../../../access/admission.ts";
import type { Caller } from "../../../access/caller.ts";
import type { Access } from "../../../access/project-access.ts";
import { forbidden } from "../../../answers/errors.ts";

/**
 * People with the permission `project:update` manage members, but only owners and administrators may make, change or
 * remove owners: nobody can raise someone above themselves.
 */
export function requireFullAccess(access: Access) {
  if (!access.all) throw forbidden("Only an owner or an administrator may add, change or remove owners.");
}

/** A leaked token could otherwise make its thief's own account an owner. */
export function requireMakingOwners(access: Access, caller: Caller) {
  requireFullAccess(access);
  requireSession({ caller }, "make someone an owner");
}
