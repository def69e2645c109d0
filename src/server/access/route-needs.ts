import type { FastifyContextConfig, RouteOptions } from "fastify";
import { PERMISSIONS, type Permission } from "../../shared/permissions.ts";
import { SAFE } from "./credential.ts";
import type { Area } from "../../shared/token-scopes.ts";
import type { Feature } from "./features.ts";

/**
 * What a route needs, checked before its body is read:
 * - `nothing`: no credential;
 * - `caller`: a session or a personal token; `session`: a browser session only;
 * - `member`, `administrator`: an active member or administrator of the workspace in the path;
 * - `access`: any access to the project in the path;
 * - a permission: held in the project in the path;
 * - `ingest-key`: an ingest key of the project, which the route checks itself, because it may be in the query, in several
 *   headers or in the body.
 */
export type Need =
  | "ingest-key"
  | "nothing"
  | "caller"
  | "session"
  | "member"
  | "administrator"
  | "access"
  | Permission;

declare module "fastify" {
  interface FastifyContextConfig {
    needs?: Need;
    /** The feature that must be on in the project's workspace. */
    feature?: Feature;
    /**
     * The rate limit that requests count against. Default `api`, or `session` for browser sessions. `feedback` is for reports
     * from outside, `none` for routes that monitors poll, static files and avatars.
     */
    limit?: "api" | "dismiss" | "ingest" | "sign_in" | "feedback" | "none";
    /**
     * The route counts its events itself: against the limit, which is for events and not for requests, and in the metrics. Many of its
     * requests contain none.
     */
    countsEvents?: true;
    /** The access that a project token needs. Without it, project tokens are rejected. */
    projectToken?: "read" | "read_write";
    /**
     * The area that a scoped token must include, for reading or, unless the method only reads, for writing. `any`: every scoped token
     * may use the route, which filters its answer. Without it, scoped tokens are rejected.
     */
    area?: Area | "any";
    /** Tokens without write access may use the route although its method is POST. What it changes, it changes by other routes. */
    onlyReads?: true;
    /** The route accepts an ingest key of the project instead; with "only", nothing else. */
    ingestKey?: true | "only";
    /** The route accepts a token, but no cookie. */
    tokenOnly?: boolean;
    /** The route needs nothing, but behaves differently for a signed-in user: see `request.session`. */
    session?: "optional";
  }
}

/** Throws at boot if a route does not declare what it needs, or declares what its path cannot satisfy. */
export function requireConsistentNeeds(route: RouteOptions): void {
  const config = route.config ?? {};
  const name = `${String(route.method)} ${route.url}`;
  if (config.needs === undefined) throw new Error(`${name} does not declare what it needs`);
  // A preflight has no credential, and its response is the same for every project.
  if (route.method !== "OPTIONS") requireMatchingPath(name, route.url, config);
  if (config.limit === "none" && !mayBeUnlimited(route)) throw new Error(`${name} has no limit`);
  if (config.session !== undefined && config.needs !== "nothing")
    throw new Error(`${name} has a caller already`);
}

/** Writes, and reads that belong to a project or workspace, must have a limit. */
function mayBeUnlimited({ method, config }: RouteOptions): boolean {
  const needs = config?.needs;
  return [method].flat().every((one) => SAFE.has(one)) && (needs === "nothing" || needs === "caller");
}

function requireMatchingPath(name: string, url: string, { needs, feature, ingestKey }: FastifyContextConfig) {
  if (needs === "ingest-key") return;
  const inProject = needs === "access" || PERMISSIONS.some((permission) => permission === needs);
  if (inProject && !url.includes("/:projectId")) throw new Error(`${name} has no project in its path`);
  if (!inProject && url.includes("/:projectId")) throw new Error(`${name} does not check its project`);
  const inWorkspace = needs === "member" || needs === "administrator";
  if (inWorkspace !== url.includes("/:workspaceId")) throw new Error(`${name} does not check its workspace`);
  // An ingest key has a project.
  if (feature !== undefined && !inProject && ingestKey !== "only")
    throw new Error(`${name} does not check its feature`);
}
