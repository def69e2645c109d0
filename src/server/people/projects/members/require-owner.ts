import type { Access } from "../../../access/project-access.ts";
import { forbidden } from "../../../answers/errors.ts";

export function requireAll(access: Access) {
  if (!access.all) throw forbidden("Only an owner or an administrator may do this with an owner.");
}
