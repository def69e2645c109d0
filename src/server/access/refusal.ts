import type { FastifyContextConfig } from "fastify";
import type { Permission } from "../../shared/permissions.ts";
import type { Features } from "../../shared/workspaces.ts";
import { featureRestricted, forbidden, type HttpError } from "../answers/errors.ts";
import { allowsOrigin } from "./allows-origin.ts";
import type { Caller } from "./caller.ts";
import type { Feature } from "./features.ts";
import type { IngestKey } from "./ingest-key.ts";
import { holds, missingPermission, type ProjectAccess } from "./project-access.ts";
import { isForProject, scopeOf } from "./token-limits.ts";
import { coversArea } from "./token-scope.ts";

/**
 * Who may use a route of a project, as pure functions. The guard throws what they return; whatever answers a request before the guard
 * does so only if they return nothing.
 */

/** What a route of a project declares, and whether its method only reads. */
export type RouteNeeds = Pick<FastifyContextConfig, "needs" | "feature" | "projectToken" | "area"> & {
  reads: boolean;
};

/** Why the caller may not use a route of the project; undefined if they may. */
export function refusalOf(caller: Caller, of: ProjectAccess, route: RouteNeeds): HttpError | undefined {
  const { needs, feature } = route;
  if (!isForProject(caller, of.project.id))
    return forbidden(
      caller.kind === "project"
        ? "The token belongs to another project."
        : "The token is not for this project.",
    );
  if (of.access === null) return forbidden("You have no access to this project.");
  if (caller.kind === "project" && !caller.active)
    return forbidden("The token is not active for this project.");
  if (feature !== undefined && !of.features[feature]) return featureOff(feature);
  const outOfScope = scopeRefusalOf(caller, route);
  if (outOfScope) return outOfScope;
  if (needs === "access" || holds(of.access, needs as Permission)) return undefined;
  return missingPermission(needs as Permission);
}

/** Why the caller's token may not use a route; undefined if it may, or the caller has no token. */
export function scopeRefusalOf(
  caller: Caller,
  { projectToken, area, reads }: Pick<RouteNeeds, "projectToken" | "area" | "reads">,
): HttpError | undefined {
  const scope = scopeOf(caller);
  if (scope !== null && area === undefined) return forbidden("Tokens with scopes may not do this.");
  if (scope !== null && area !== undefined && area !== "any" && !coversArea(scope, area, reads))
    return forbidden(`The token lacks the scope ${area}:${reads ? "read" : "write"}.`);
  if (caller.kind === "personal" && !caller.write && !reads)
    return forbidden("The token has no write scope.");
  if (caller.kind !== "project") return undefined;
  if (projectToken === undefined) return forbidden("Project tokens may not do this.");
  return projectToken === "read_write" && !caller.write ? forbidden("The token may only read.") : undefined;
}

/** Whether the key may send to the project from a page of this origin. Without an id, to its own project. */
export const mayUseKey = (
  key: IngestKey,
  projectId: string | undefined,
  origin: string | undefined,
): boolean =>
  key.isActive &&
  (projectId === undefined || projectId === String(key.projectId)) &&
  allowsOrigin(key.allowedOrigins, origin);

const FEATURE_NAMES: Record<keyof Features, string> = {
  reports: "Reports",
  error_tracking: "Error Tracking",
};

export const featureOff = (feature: Feature) => featureRestricted(FEATURE_NAMES[feature]);
