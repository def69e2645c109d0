import { type Permission, PERMISSIONS } from "../../shared/permissions.ts";

export const VERBS = ["create", "read", "update", "delete"] as const;

export type Verb = (typeof VERBS)[number];

/** One line of the grid: a kind of thing, and of the four verbs those that there are for it. */
export type GridRow = {
  thing: string;
  label: string;
  hint: string;
  verbs: Partial<Record<Verb, Permission>>;
};

const WORDS: Record<string, [label: string, hint: string]> = {
  reports: ["Reports", "Update: promote, dismiss, put in order."],
  issues: ["Issues", "Update: change, move, plan in sprints, edit others' comments."],
  epics: ["Epics", "Update: change, edit others' comments."],
  "error-groups": ["Errors", "Create: send events. Update: resolve, ignore, promote."],
  comments: ["Comments", "Create: write, reply, change one's own."],
  attachments: ["Attachments", "Files of reports."],
  notifications: ["Notifications", "One's own inbox."],
  project: ["Project", "Settings, lanes, labels, sprints, members, tokens."],
};

/** The vocabulary of permissions as things and verbs. */
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

/** The set with one permission given or taken. */
export function withPermission(
  permissions: readonly string[],
  permission: Permission,
  given: boolean,
): string[] {
  const others = permissions.filter((one) => one !== permission);
  return given ? [...others, permission] : others;
}

/** "12 of 22": how much of everything a role may do. */
export function countText(permissions: readonly string[]): string {
  const count = PERMISSIONS.filter((permission) => permissions.includes(permission)).length;
  if (count === PERMISSIONS.length) return "May do everything";
  return count === 0 ? "May only enter" : `${count} of ${PERMISSIONS.length} permissions`;
}

export function samePermissions(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((permission) => b.includes(permission));
}
