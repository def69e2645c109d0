export const PERMISSIONS = [
  "reports:create",
  "reports:read",
  "reports:update",
  "reports:delete",
  "issues:create",
  "issues:read",
  "issues:update",
  "issues:delete",
  "epics:create",
  "epics:read",
  "epics:update",
  "epics:delete",
  "error-groups:create",
  "error-groups:read",
  "error-groups:update",
  "error-groups:delete",
  "comments:create",
  "attachments:create",
  "attachments:delete",
  "notifications:update",
  "notifications:delete",
  "project:update",
] as const;

export type Permission = (typeof PERMISSIONS)[number];

export type BuiltInRole = { name: string; permissions: readonly Permission[] };

const readPermissions = PERMISSIONS.filter((permission) => permission.endsWith(":read"));
const ownInbox: Permission[] = ["notifications:update", "notifications:delete"];

/** The roles of every new workspace. */
export const BUILT_IN_ROLES: readonly BuiltInRole[] = [
  { name: "Manager", permissions: PERMISSIONS },
  {
    name: "Member",
    permissions: PERMISSIONS.filter(
      (permission) => permission !== "project:update" && permission !== "reports:delete",
    ),
  },
  {
    name: "Reporter",
    permissions: ["reports:create", "reports:read", "issues:read", "comments:create", ...ownInbox],
  },
  { name: "Viewer", permissions: [...readPermissions, ...ownInbox] },
];
