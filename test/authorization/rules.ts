import type { Permission } from "../../src/shared/permissions.ts";
import type { Place } from "./places.ts";
import { isAdministrator, isMember, may, type Principal } from "./principals.ts";

/** What a need alone does not say; the status of the refusal, or undefined. Written from the specification. */
export type Rule = (who: Principal, place: Place) => number | undefined;

const unless = (fine: boolean, status = 403) => (fine ? undefined : status);

export const needs =
  (permission: Permission): Rule =>
  (who, place) =>
    unless(may(who, place.scope, permission));

/** Adding an attachment takes reading reports as well; a project token need not (service.md 5). */
export const readsReportsUnlessToken: Rule = (who, place) =>
  unless(who.kind === "project" || may(who, place.scope, "reports:read"));

/** platform.md, Who may. */
export const ownerOrAdministrator: Rule = (who, { scope }) => unless(who.rights[scope] === "all");

export const administratorSomewhere: Rule = (who) => unless(isAdministrator(who));

/** Comments of the world are an administrator's: others need to hold Update; an unknown one has no author. */
export const changesComment =
  (kind: "issue" | "epic"): Rule =>
  (who, place) => {
    if (may(who, place.scope, `${kind}s:update`)) return undefined;
    if (!may(who, place.scope, `${kind}s:read`) || !may(who, place.scope, "comments:create")) return 403;
    return place.missing === "commentId" ? undefined : 403;
  };

/** Error Tracking is on in a workspace of theirs, or in the token's own (decisions.md 5). */
export const hasFeature: Rule = (who) =>
  unless(who.kind === "project" || isMember(who, "one") || isMember(who, "two"));

/** A picture is shown to people of the same workspace; to others it is unknown. */
export const colleague: Rule = (who, { scope }) => unless(isMember(who, scope === "C" ? "two" : "one"), 404);

/** From the machine itself, or an administrator's personal token (platform.md, about). */
export function metricsStatus(who: Principal): number {
  if (who.kind === "nobody" || who.kind === "session" || who.credential === "cookie") return 200;
  if (who.kind === "refused") return 401;
  return who.kind === "personal" && isAdministrator(who) ? 200 : 403;
}
