import type { FastifyReply, FastifyRequest } from "fastify";
import { forbidden } from "../answers/errors.ts";
import { requireFeature } from "./admission.ts";
import { allowsOrigin } from "./allows-origin.ts";
import type { IngestKey } from "./ingest-key.ts";

/**
 * Whether the page that sends the request may use the key. If the key has a list of origins, only an allowed origin gets a
 * CORS header and can read the response. The server's own pages at `publicUrl` may always send feedback.
 */
export function answerOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  key: IngestKey,
  publicUrl?: string,
): boolean {
  const { origin } = request.headers;
  const isOwnPage = origin === publicUrl && request.routeOptions.config.ingestKey === "only";
  const isAllowed = isOwnPage || allowsOrigin(key.allowedOrigins, origin);
  if (key.allowedOrigins.length > 0) {
    void reply.header("vary", "origin");
    if (isAllowed && origin !== undefined) void reply.header("access-control-allow-origin", origin);
    else reply.removeHeader("access-control-allow-origin");
  }
  return isAllowed;
}

/**
 * 403 unless the route accepts ingest keys and this key may send to the project in the path, if there is one. The response is the same for an
 * unknown project and for another one: keys are public and must not reveal which projects exist.
 */
export function admitByKey(request: FastifyRequest, key: IngestKey): void {
  const { ingestKey, feature } = request.routeOptions.config;
  if (!ingestKey) throw forbidden("An ingest key may only send errors and feedback.");
  const { projectId: ref } = request.params as { projectId?: string };
  if (ref !== undefined && ref !== String(key.projectId) && ref !== key.project.key)
    throw forbidden("The ingest key belongs to another project.");
  if (!key.isActive) throw forbidden("The ingest key is disabled.");
  const features = { error_tracking: key.errorTracking, reports: key.reports };
  if (feature !== undefined) requireFeature({ features }, feature);
  request.project = key.project;
}
