import { type Permission, PERMISSIONS } from "../../shared/permissions.ts";

export const VERBS = ["create", "read", "update", "delete"] as const;

export type Verb = (typeof VERBS)[number];

/** One row of the grid: a kind of thing, with those of the four verbs that exist for it. */
export type GridRow = {
  thing: string;
  label: string;
  hint: string;
  verbs: Partial<Record<Verb, Permission>>;
};

const WORDS: Record<string, [label: string, hint: string]> = {
  reports: ["Reports", "Update: promote, dismiss, reorder."],
  issues: ["Issues", "Update: edit, move, plan in sprints, edit others’ comments."],
  epics: ["Epics", "Update: edit, edit others’ comments."],
  "error-groups": ["Errors", "Create: send events. Update: resolve, ignore, promote."],
  comments: ["Comments", "Create: write, reply, edit your own."],
  attachments: ["Attachments", "Files of reports."],
  notifications: ["Notifications", "Your own inbox."],
  project: ["Project", "Settings, lanes, labels, sprints, members, tokens."],
};

/** All permissions, by thing and verb. */
export const PERMISSION_GRID: readonly GridRow[] = Object.entries(WORDS).map(([thing, [label, hint]]) => ({
  thing,
  label,
  hint,
  verbs: Object.fromEntries(
    PERMISSIONS.filter((permission) => permission.startsWith(`${thing}:`)).map((permission) => [
      permission.slice(thing.length + 1),
      permission,
    ]),
  ),
}));

/** The set with one permission added or removed. */
export function withPermission(
  permissions: readonly string[],
  permission: Permission,
  given: boolean,
): string[] {
  const others = permissions.filter((one) => one !== permission);
  return given ? [...others, permission] : others;
}

/** "12 of 22 permissions" */
export function countText(permissions: readonly string[]): string {
  const count = PERMISSIONS.filter((permission) => permissions.includes(permission)).length;
  if (count === PERMISSIONS.length) return "All permissions";
  return count === 0 ? "No permissions" : `${count} of ${PERMISSIONS.length} permissions`;
}

export function samePermissions(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((permission) => b.includes(permission));
}
