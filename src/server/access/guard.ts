import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { forbidden } from "../answers/errors.ts";
import type { Db } from "../db/connect.ts";
import { clientAddress } from "../http/client-address.ts";
import { admitByKey, answerOrigin } from "./admit-by-key.ts";
import { admit } from "./admission.ts";
import { admitAgainAfterBody } from "./admit-again.ts";
import type { Authority } from "./authority.ts";
import type { CachedLookups } from "./cached-lookup.ts";
import type { Caller } from "./caller.ts";
import {
  callerBy,
  credentialOf,
  invalidCredential,
  optionalSession,
  refuseCrossSite,
  requireSameOrigin,
  SAFE,
  type SessionCaller,
} from "./credential.ts";
import { looksLikeIngestKey, type IngestKey } from "./ingest-key.ts";
import { outerRequest } from "./inner-request.ts";
import { noteKeyUse } from "./note-key-use.ts";
import { RequestLimits, type LimitOptions, type RequestSlots } from "./request-limits.ts";
import { requireConsistentNeeds } from "./route-needs.ts";

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller;
    /** The signed-in user on a route that declares `session: "optional"`. */
    session: SessionCaller | undefined;
    /** The ingest key that was sent, its project, and whether pages of the request's origin may use the key. */
    keyUse: { keyId: number; projectId: number; isOriginAllowed: boolean } | undefined;
  }
}

type GuardOptions = LimitOptions & {
  db: Db;
  authority: Authority;
  lookups: CachedLookups;
  slots: RequestSlots;
  publicUrl: () => string;
};

/** Guards every route, in this order: credential, rate limit, project or workspace, feature, scope, permission. */
export function guard(
  app: FastifyInstance,
  { db, authority, lookups, slots, publicUrl, ...limits }: GuardOptions,
) {
  const requestLimits = new RequestLimits(limits);
  for (const property of ["caller", "session", "project", "access", "features", "workspace", "keyUse"])
    app.decorateRequest(property);
  app.addHook("onRoute", requireConsistentNeeds);
  admitAgainAfterBody(app, { db, authority, publicUrl });

  app.addHook("onRequest", async (request, reply) => {
    const { needs, session } = request.routeOptions.config;
    // Only the handler for unknown paths declares no needs.
    if (needs === undefined || needs === "ingest-key") return;
    if (needs === "nothing") {
      refuseCrossSite(request);
      await requestLimits.countByAddress(request, reply);
      if (session === "optional") request.session = await optionalSession(authority, request, publicUrl());
    } else await admitByCredential({ db, authority, slots, publicUrl, requestLimits }, request, reply);
    request.admittedAt = performance.now();
  });

  // Any write may have changed someone's access, or what a lookup found. One that was refused has changed nothing.
  app.addHook("onSend", (request, { statusCode }, payload, done) => {
    const isRefused = statusCode >= 400 && statusCode < 500;
    if (!SAFE.has(request.method) && !request.routeOptions.config.tokenOnly && !isRefused) lookups.forget();
    done(null, payload);
  });
}

type Guard = Pick<GuardOptions, "db" | "authority" | "slots" | "publicUrl"> & {
  requestLimits: RequestLimits;
};

async function admitByCredential(guard: Guard, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { db, authority, slots, publicUrl, requestLimits } = guard;
  const { tokenOnly = false, ingestKey: keyRule, countsEvents, limit = "api" } = request.routeOptions.config;
  const isForKeys = keyRule === "only";
  // A session is refused for what it is, not ignored.
  const credential = credentialOf(request, publicUrl(), tokenOnly && !isForKeys);
  if (credential.kind === "token" && looksLikeIngestKey(credential.secret)) {
    const ingestKey = await authority.ingestKey(credential.secret);
    if (ingestKey && (ingestKey.isActive || !isForKeys)) return acceptKey(guard, request, reply, ingestKey);
  }
  const caller = await callerBy(authority, credential);
  if (!caller) {
    await requestLimits.countInvalid(request, reply, credential.kind);
    throw invalidCredential(credential.kind, tokenOnly);
  }
  request.caller = caller;
  if (caller.kind === "session") requireSameOrigin(request, publicUrl());
  const isInner = outerRequest() !== undefined;
  if (!isInner) slots.take(request, reply, caller.key);
  if (!countsEvents && !(isInner && limit === "api")) await requestLimits.count(request, reply, caller);
  if (isForKeys) throw forbidden("Only an ingest key of the project may do this.");
  await admit(request, { authority, db });
}

async function acceptKey(
  { db, slots, publicUrl, requestLimits }: Guard,
  request: FastifyRequest,
  reply: FastifyReply,
  key: IngestKey,
): Promise<void> {
  const isOriginAllowed = answerOrigin(request, reply, key, publicUrl());
  request.keyUse = { keyId: key.id, projectId: key.projectId, isOriginAllowed };
  const { ingestKey: keyRule, countsEvents } = request.routeOptions.config;
  // All visitors of a page share its key.
  slots.take(
    request,
    reply,
    keyRule === "only" ? `ing:${key.id} ${clientAddress(request)}` : `ing:${key.id}`,
  );
  if (!countsEvents) await requestLimits.countKey(request, reply, key.id);
  admitByKey(request, key);
  if (!isOriginAllowed) throw forbidden("Pages of this origin may not use the ingest key.");
  noteKeyUse(db, key.id);
}
