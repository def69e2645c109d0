import type { Permission } from "../../src/shared/permissions.ts";
import type { Target } from "./targets.ts";
import { accessesAnyProject, isAdministrator, isMember, may, type Principal } from "./principals.ts";

/** What comments can be on, as in paths and permissions. */
export type Commented = "issue" | "epic" | "error-group" | "report";

/** A requirement beyond the `need` of a row. Returns the status of the rejection, or undefined. */
export type Rule = (who: Principal, target: Target) => number | undefined;

const unless = (fine: boolean, status = 403) => (fine ? undefined : status);

export const needs =
  (permission: Permission): Rule =>
  (who, target) =>
    unless(may(who, target.scope, permission));

/** Users who add attachments must also be able to read reports; project tokens need not. */
export const readsReportsUnlessToken: Rule = (who, target) =>
  unless(who.kind === "project" || may(who, target.scope, "reports:read"));

/** A project token may not read issues. */
export const readsSimilar: Rule = (who, { scope }) =>
  unless(
    may(who, scope, "reports:read") ||
      may(who, scope, "error-groups:read") ||
      (who.kind !== "project" && may(who, scope, "issues:read")),
  );

/** Only project owners and workspace administrators. */
export const ownerOrAdministrator: Rule = (who, { scope }) => unless(who.rights[scope] === "all");

/** A personal token that may only read, or not write errors, is of no use to a client that uploads. */
export const writes: Rule = (who) =>
  unless(who.kind !== "personal" || (who.scopes?.includes("errors:write") ?? who.write));

/** A project token uploads to its own project, and a personal token to those that the request names. */
export const uploads: Rule = (who, target) =>
  writes(who, target) ??
  unless(who.kind !== "project" || (who.active && may(who, who.project, "error-groups:update")));

/** Tokens may do everything else that their user may. */
export const bySession: Rule = (who) => unless(who.kind === "session");

/** Agents use tokens. */
export const byToken: Rule = (who) => unless(who.kind !== "session");

/** Only administrators of the workspace know of its deletions. */
export const administers: Rule = (who, { scope }) =>
  unless(who.workspaces[scope === "C" ? "two" : "one"] === "administrator", 404);

export const administratorSomewhere: Rule = (who) => unless(isAdministrator(who));

/** The fixture's comments were written by an administrator, so others need the permission to update the target. */
export const changesComment =
  (kind: Commented): Rule =>
  (who, target) => {
    if (may(who, target.scope, `${kind}s:update`)) return undefined;
    if (!may(who, target.scope, `${kind}s:read`) || !may(who, target.scope, "comments:create")) return 403;
    return target.missing === "commentId" ? undefined : 403;
  };

/** The fixture's attachments were added by an administrator, so others need the permission to delete any. */
export const deletesAttachment =
  (kind: Commented): Rule =>
  (who, target) => {
    if (!may(who, target.scope, `${kind}s:read`)) return 403;
    if (may(who, target.scope, "attachments:delete")) return undefined;
    if (!may(who, target.scope, "attachments:create")) return 403;
    return target.missing === "attachmentId" ? undefined : 403;
  };

/** Error tracking is on in every workspace, and people without a project get empty lists; a project token needs access to its own. */
export const hasFeature: Rule = (who) => unless(who.kind !== "project" || accessesAnyProject(who));

/** A picture is visible only to people who share a workspace; others get 404. */
export const colleague: Rule = (who, { scope }) => unless(isMember(who, scope === "C" ? "two" : "one"), 404);

/** Metrics are open to the local machine without a token, and to an administrator's personal token. */
export function metricsStatus(who: Principal): number {
  if (who.kind === "nobody" || who.kind === "session" || who.credential === "cookie") return 200;
  if (who.kind === "refused") return 401;
  return who.kind === "personal" && !who.scopes && isAdministrator(who) ? 200 : 403;
}
