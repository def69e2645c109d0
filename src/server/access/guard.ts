import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import type { Permission } from "../../shared/permissions.ts";
import { PERMISSIONS } from "../../shared/permissions.ts";
import { type Access, holds } from "./project-access.ts";
import type { Feature } from "./features.ts";
import type { Authority } from "./authority.ts";
import type { Caller } from "./caller.ts";
import type { Limits } from "../config/config.ts";
import type { Db } from "../db/connect.ts";
import { clientAddress } from "../http/client-address.ts";
import {
  callerBy,
  credentialOf,
  optionalSession,
  refuseCrossSite,
  requireSameOrigin,
  SAFE,
  type SessionCaller,
  unknownCredential,
} from "./credential.ts";
import { featureRestricted, forbidden, notFound, overloaded, tooMany } from "../answers/errors.ts";
import type { RateLimiter } from "../http/rate-limit.ts";
import { pathId } from "../answers/validation.ts";

/**
 * What a route needs before its body is read:
 * - `nothing`: no credential;
 * - `caller`: a session or a personal token; `session`: a browser session only;
 * - `member`, `administrator`: an active one of the workspace in the path;
 * - `access`: any access to the project in the path;
 * - a permission: held in the project in the path.
 */
export type Need = "nothing" | "caller" | "session" | "member" | "administrator" | "access" | Permission;

declare module "fastify" {
  interface FastifyContextConfig {
    needs?: Need;
    feature?: Feature;
    /** The allowance a request counts against; `none` only for what a monitor asks all the time. */
    limit?: keyof Limits | "none";
    /** Project tokens are refused unless the route names the access they need. */
    projectToken?: "read" | "read_write";
    /** The route takes a token and no cookie. */
    tokenOnly?: boolean;
    /** A route that needs nothing, but does something else for somebody who is signed in: `request.session`. */
    session?: "optional";
  }
  interface FastifyRequest {
    caller: Caller;
    project: { id: number; workspace_id: number; key: string };
    access: Access;
    workspaceId: number;
    session: SessionCaller | undefined;
  }
}

/** Requests of one credential under way at the same time; more are told to come back. */
const AT_ONCE = 64;
const FEATURE_NAMES = { reports: "Reports", error_tracking: "Error Tracking" };

type Guarded = {
  db: Db;
  authority: Authority;
  limiter: RateLimiter;
  limits: Limits;
  publicUrl: () => string;
};

/** One guard for every route: credential → limit → project or workspace → access, feature, scope, permission. */
export function guard(app: FastifyInstance, options: Guarded) {
  const { authority, publicUrl } = options;
  const underWay = new Map<string, number>();
  app.decorateRequest("caller");
  app.decorateRequest("project");
  app.decorateRequest("access");
  app.decorateRequest("workspaceId", 0);
  app.decorateRequest("session");
  app.addHook("onRoute", refuseUndeclared);

  app.addHook("onRequest", async (request, reply) => {
    const { needs, tokenOnly = false, session } = request.routeOptions.config;
    if (needs === undefined) return; // the handler of unknown paths
    if (needs === "nothing") {
      refuseCrossSite(request);
      await countRequest(options, request, reply, `ip:${clientAddress(request)}`);
      if (session === "optional") request.session = await optionalSession(authority, request, publicUrl());
      return;
    }
    const credential = credentialOf(request, publicUrl(), tokenOnly);
    const caller = await callerBy(authority, credential);
    if (!caller) {
      await countUnknown(options, request, reply, credential.kind);
      throw unknownCredential(credential);
    }
    request.caller = caller;
    if (caller.kind === "session") requireSameOrigin(request, publicUrl());
    holdPlace(underWay, caller.key, reply);
    await countRequest(options, request, reply, caller.key);
    await admit(options, request);
  });

  // Whatever a request changed may have been somebody's authority.
  app.addHook("onSend", (request, _reply, payload, done) => {
    if (!SAFE.has(request.method) && !request.routeOptions.config.tokenOnly) authority.forget();
    done(null, payload);
  });
}

/** A route that does not say what it needs does not boot. */
function refuseUndeclared(route: RouteOptions) {
  const { needs, limit, session } = route.config ?? {};
  const name = `${String(route.method)} ${route.url}`;
  if (needs === undefined) throw new Error(`${name} does not declare what it needs`);
  const inProject = needs === "access" || PERMISSIONS.some((permission) => permission === needs);
  if (inProject && !route.url.includes("/:projectId")) throw new Error(`${name} has no project in its path`);
  if (!inProject && route.url.includes("/:projectId")) throw new Error(`${name} does not check its project`);
  const inWorkspace = needs === "member" || needs === "administrator";
  if (inWorkspace !== route.url.includes("/:workspaceId"))
    throw new Error(`${name} does not check its workspace`);
  if (limit === "none" && needs !== "nothing") throw new Error(`${name} has no limit`);
  if (session !== undefined && needs !== "nothing") throw new Error(`${name} has a caller already`);
}

function holdPlace(underWay: Map<string, number>, key: string, reply: FastifyReply) {
  // Who left while the credential was looked up is not told, and `close`, which gives the place back, has been.
  if (reply.raw.destroyed) throw overloaded();
  const count = underWay.get(key) ?? 0;
  if (count >= AT_ONCE) throw overloaded();
  underWay.set(key, count + 1);
  reply.raw.once("close", () => {
    const left = (underWay.get(key) ?? 1) - 1;
    if (left > 0) underWay.set(key, left);
    else underWay.delete(key);
  });
}

/** Counts by credential, or by address without one; never by anything the URL or a header says. */
async function countRequest(options: Guarded, request: FastifyRequest, reply: FastifyReply, who: string) {
  const { limit = "api" } = request.routeOptions.config;
  if (limit !== "none") await count(options, reply, `${limit}:${who}`, options.limits[limit]);
}

/**
 * Credentials that are none count by address: tokens apart from sessions, so that a program with a revoked token keeps
 * nobody beside it from signing in again, and only once they have been looked at, so that good ones are never counted.
 */
async function countUnknown(options: Guarded, request: FastifyRequest, reply: FastifyReply, kind: string) {
  await count(options, reply, `unknown:${kind}:ip:${clientAddress(request)}`, options.limits.api);
}

async function count({ limiter }: Guarded, reply: FastifyReply, key: string, most: number) {
  const { limit, remaining, allowed, retryAfter } = await limiter.take(key, most);
  void reply.headers({ "x-ratelimit-limit": limit, "x-ratelimit-remaining": remaining });
  if (!allowed) throw tooMany(retryAfter);
}

async function admit(options: Guarded, request: FastifyRequest) {
  const { needs, feature } = request.routeOptions.config;
  const { caller } = request;
  const params = request.params as Record<string, string | undefined>;
  if (params["projectId"] !== undefined)
    return admitToProject(options.authority, request, params["projectId"]);
  if (params["workspaceId"] !== undefined) await admitToWorkspace(options.db, request, params["workspaceId"]);
  if (needs === "session" && caller.kind !== "session")
    throw forbidden("Only a browser session may do this.");
  if (feature !== undefined && params["workspaceId"] !== undefined) throw new Error("no feature check here");
  requireScope(request);
}

async function admitToProject(authority: Authority, request: FastifyRequest, ref: string) {
  const { needs, feature } = request.routeOptions.config;
  const { caller } = request;
  const found = await authority.project(ref, caller.user_id);
  if (!found) throw notFound("There is no such project.");
  if (caller.kind === "project" && caller.project_id !== found.project.id)
    throw forbidden("The token belongs to another project.");
  if (found.access === null) throw forbidden("You have no access to this project.");
  if (caller.kind === "project" && !caller.active)
    throw forbidden("The token is not active for this project.");
  if (feature !== undefined && !found.features[feature]) throw featureRestricted(FEATURE_NAMES[feature]);
  requireScope(request);
  if (needs !== "access" && !holds(found.access, needs as Permission))
    throw forbidden(`You need the permission ${needs} in this project.`);
  request.project = found.project;
  request.access = found.access;
}

function requireScope(request: FastifyRequest) {
  const { caller } = request;
  const { projectToken } = request.routeOptions.config;
  if (caller.kind === "personal" && !caller.write && !SAFE.has(request.method))
    throw forbidden("The token has no write scope.");
  if (caller.kind !== "project") return;
  if (projectToken === undefined) throw forbidden("A project token may not do this.");
  if (projectToken === "read_write" && !caller.write) throw forbidden("The token may only read.");
}

async function admitToWorkspace(db: Db, request: FastifyRequest, ref: string) {
  const id = pathId(ref, "There is no such workspace.");
  const row = await db
    .selectFrom("workspaces as w")
    .leftJoin("workspace_members as m", (on) =>
      on
        .onRef("m.workspace_id", "=", "w.id")
        .on("m.user_id", "=", request.caller.user_id)
        .on("m.deactivated_at", "is", null),
    )
    .select("m.is_admin")
    .where("w.id", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound("There is no such workspace.");
  if (row.is_admin === null) throw forbidden("You are not a member of this workspace.");
  if (request.routeOptions.config.needs === "administrator" && !row.is_admin)
    throw forbidden("Only an administrator of the workspace may do this.");
  request.workspaceId = id;
}
