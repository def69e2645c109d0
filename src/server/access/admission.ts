import type { FastifyRequest } from "fastify";
import type { Features, Workspace } from "../../shared/workspaces.ts";
import { forbidden, notFound, type HttpError } from "../answers/errors.ts";
import { pathId } from "../answers/validation.ts";
import type { Db } from "../db/connect.ts";
import type { Authority } from "./authority.ts";
import type { Caller } from "./caller.ts";
import { SAFE, type SessionCaller } from "./credential.ts";
import { featuresOfW, type Feature } from "./features.ts";
import { accessThrough, type Access } from "./project-access.ts";
import { featureOff, refusalOf, scopeRefusalOf, type RouteNeeds } from "./refusal.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The project in the path, and what the caller may do there. */
    project: { id: number; workspace_id: number; key: string };
    access: Access;
    /** The features of the project's workspace. */
    features: Features;
    /** The workspace in the path, as the caller sees it. */
    workspace: Workspace;
  }
}

/**
 * Checks that the caller has what the route needs: the project or workspace in its path must exist (404) and be
 * accessible, and the token must be allowed to do this (403). Keeps the project or workspace on the request.
 */
export async function admit(request: FastifyRequest, { authority, db }: { authority: Authority; db: Db }) {
  const { projectId, workspaceId } = request.params as { projectId?: string; workspaceId?: string };
  if (projectId !== undefined) return admitToProject(authority, request, projectId);
  if (workspaceId !== undefined) await admitToWorkspace(db, request, workspaceId);
  if (request.routeOptions.config.needs === "session") requireSession(request);
  throwIfRefused(scopeRefusalOf(request.caller, needsOf(request)));
}

const needsOf = ({ method, routeOptions }: FastifyRequest): RouteNeeds => ({
  ...routeOptions.config,
  reads: routeOptions.config.onlyReads ?? SAFE.has(method),
});

function throwIfRefused(refusal: HttpError | undefined): void {
  if (refusal) throw refusal;
}

/** 403 for tokens. Call this for actions by which a leaked token could be turned into an administrator's session. */
export function requireSession({ caller }: Pick<FastifyRequest, "caller">, what = "do this"): void {
  if (caller.kind !== "session") throw forbidden(`Only a browser session may ${what}.`);
}

/** The caller's session. 403 for tokens. */
export function sessionOf(caller: Caller): SessionCaller {
  if (caller.kind !== "session") throw forbidden("Only a browser session may do this.");
  return caller;
}

async function admitToProject(authority: Authority, request: FastifyRequest, ref: string) {
  const { caller } = request;
  const projectAccess = await authority.project(ref, caller.user_id);
  if (!projectAccess) throw notFound("There is no such project.");
  throwIfRefused(refusalOf(caller, projectAccess, needsOf(request)));
  request.project = projectAccess.project;
  request.access = accessThrough(caller, projectAccess.access as Access);
  request.features = projectAccess.features;
}

/** 403 unless the feature is on in the project's workspace. */
export function requireFeature({ features }: { features: Features }, feature: Feature): void {
  if (!features[feature]) throw featureOff(feature);
}

async function admitToWorkspace(db: Db, request: FastifyRequest, ref: string) {
  const row = await db
    .selectFrom("workspaces as w")
    .leftJoin("workspace_members as m", (on) =>
      on
        .onRef("m.workspace_id", "=", "w.id")
        .on("m.user_id", "=", request.caller.user_id)
        .on("m.deactivated_at", "is", null),
    )
    .select(["w.id", "w.name", featuresOfW.as("features"), "m.is_admin", "w.created_at", "w.updated_at"])
    .where("w.id", "=", pathId(ref, "There is no such workspace."))
    .where("w.deleted_at", "is", null)
    .executeTakeFirst();
  if (!row) throw notFound("There is no such workspace.");
  const { is_admin, ...workspace } = row;
  if (is_admin === null) throw forbidden("You are not a member of this workspace.");
  if (request.routeOptions.config.needs === "administrator" && !is_admin)
    throw forbidden("Only an administrator of the workspace may do this.");
  request.workspace = { ...workspace, is_admin };
}
