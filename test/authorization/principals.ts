import type { Permission } from "../../src/shared/permissions.ts";
import type { Client } from "../support/client.ts";

/** Two workspaces: A and B are projects of the first, C is one of the second. */
export type Scope = "A" | "B" | "C";
export type Workspace = "one" | "two";

type Rights = "all" | ReadonlySet<Permission>;

/** Somebody who asks, with what they may do according to the specification. */
export type Principal = {
  name: string;
  client: Client;
  headers: Record<string, string>;
  credential: "cookie" | "token" | "none";
  /** `refused`: has a credential that is none any more. */
  kind: "nobody" | "refused" | "session" | "personal" | "project";
  /** Of a token: may it change anything. */
  write: boolean;
  /** Of a project token. */
  project: Scope;
  active: boolean;
  /** By project; none where they have no access. Of a project token: its creator's. */
  rights: Partial<Record<Scope, Rights>>;
  /** Active memberships. */
  workspaces: Partial<Record<Workspace, "administrator" | "member">>;
};

/** Whose sessions, tokens and identities are ended at the very end. */
export const THROW_AWAY = "somebody without a workspace";

export const isMember = (who: Principal, workspace: Workspace) => who.workspaces[workspace] !== undefined;
export const isAdministrator = (who: Principal) => Object.values(who.workspaces).includes("administrator");

export function may(who: Principal, scope: Scope, permission: Permission): boolean {
  const rights = who.rights[scope];
  return rights !== undefined && (rights === "all" || rights.has(permission));
}

const VIEWER: Permission[] = [
  "reports:read",
  "issues:read",
  "epics:read",
  "error-groups:read",
  "notifications:update",
  "notifications:delete",
];
const REPORTER: Permission[] = [
  "reports:create",
  "reports:read",
  "issues:read",
  "comments:create",
  "notifications:update",
  "notifications:delete",
];
const MEMBER: Permission[] = [
  "reports:create",
  "reports:read",
  "reports:update",
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
];

/** The built-in roles by hand (decisions.md 6). */
export const ROLES = {
  Manager: new Set<Permission>([...MEMBER, "reports:delete", "project:update"]),
  Member: new Set(MEMBER),
  Reporter: new Set(REPORTER),
  Viewer: new Set(VIEWER),
};
