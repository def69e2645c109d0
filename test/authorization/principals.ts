import type { Permission } from "../../src/shared/permissions.ts";
import type { Scope as TokenScope } from "../../src/shared/token-scopes.ts";
import type { Client } from "../support/client.ts";

/** Projects A and B belong to the first workspace, C to the second. */
export type Scope = "A" | "B" | "C";
export type Workspace = "one" | "two";

type Rights = "all" | ReadonlySet<Permission>;

/** A caller, with the permissions that the API must grant. */
export type Principal = {
  name: string;
  client: Client;
  headers: Record<string, string>;
  credential: "cookie" | "token" | "none";
  /** `refused`: the credential is invalid, expired or revoked. */
  kind: "nobody" | "refused" | "session" | "personal" | "project" | "ingest";
  /** Whether a token has write access. */
  write: boolean;
  /** The project of a project token. */
  project: Scope;
  active: boolean;
  /** By project; missing without access. For a project token, those of its creator. */
  rights: Partial<Record<Scope, Rights>>;
  /** The scopes of a personal token that is limited to areas and projects; `rights` are then what remains of its user's. */
  scopes?: readonly TokenScope[];
  /** The user's own rights, if the token is limited. */
  own?: Partial<Record<Scope, Rights>>;
  /** Active memberships. */
  workspaces: Partial<Record<Workspace, "administrator" | "member">>;
};

/** The user whose sessions, tokens and identities are deleted at the end. */
export const THROW_AWAY = "a user without a workspace";

export const isMember = (who: Principal, workspace: Workspace) => who.workspaces[workspace] !== undefined;
export const isAdministrator = (who: Principal) => Object.values(who.workspaces).includes("administrator");

export const accessesAnyProject = (who: Principal) =>
  who.kind === "project" ? who.rights[who.project] !== undefined : Object.keys(who.rights).length > 0;

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

/** The permissions of the built-in roles, repeated here to detect unintended changes. */
export const ROLES = {
  Manager: new Set<Permission>([...MEMBER, "reports:delete", "project:update"]),
  Member: new Set(MEMBER),
  Reporter: new Set(REPORTER),
  Viewer: new Set(VIEWER),
};
