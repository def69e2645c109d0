import type { Permission } from "../../src/shared/permissions.ts";
import type { Place } from "./places.ts";
import { isAdministrator, isMember, may, type Principal } from "./principals.ts";

/** A requirement beyond the `need` of a row. Returns the status of the rejection, or undefined. */
export type Rule = (who: Principal, place: Place) => number | undefined;

const unless = (fine: boolean, status = 403) => (fine ? undefined : status);

export const needs =
  (permission: Permission): Rule =>
  (who, place) =>
    unless(may(who, place.scope, permission));

/** Users who add attachments must also be able to read reports; project tokens need not. */
export const readsReportsUnlessToken: Rule = (who, place) =>
  unless(who.kind === "project" || may(who, place.scope, "reports:read"));

/** Only project owners and workspace administrators. */
export const ownerOrAdministrator: Rule = (who, { scope }) => unless(who.rights[scope] === "all");

export const administratorSomewhere: Rule = (who) => unless(isAdministrator(who));

/** The world's comments were written by an administrator, so others need the permission to update the target. */
export const changesComment =
  (kind: "issue" | "epic"): Rule =>
  (who, place) => {
    if (may(who, place.scope, `${kind}s:update`)) return undefined;
    if (!may(who, place.scope, `${kind}s:read`) || !may(who, place.scope, "comments:create")) return 403;
    return place.missing === "commentId" ? undefined : 403;
  };

/** Error tracking is on in one of the caller's workspaces, or in that of the project token. */
export const hasFeature: Rule = (who) =>
  unless(who.kind === "project" || isMember(who, "one") || isMember(who, "two"));

/** A picture is visible only to people who share a workspace; others get 404. */
export const colleague: Rule = (who, { scope }) => unless(isMember(who, scope === "C" ? "two" : "one"), 404);

/** Metrics are open to the local machine without a token, and to an administrator's personal token. */
export function metricsStatus(who: Principal): number {
  if (who.kind === "nobody" || who.kind === "session" || who.credential === "cookie") return 200;
  if (who.kind === "refused") return 401;
  return who.kind === "personal" && isAdministrator(who) ? 200 : 403;
}
