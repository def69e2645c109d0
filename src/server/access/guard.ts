import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Limits } from "../config/config.ts";
import { forbidden } from "../answers/errors.ts";
import type { Db } from "../db/connect.ts";
import type { RateLimiter } from "../limits/rate-limit.ts";
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
import type { KeyLimits } from "../limits/key-limits.ts";
import { noteKeyUse } from "./note-key-use.ts";
import { RequestLimits, type RequestSlots } from "./request-limits.ts";
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

type GuardOptions = {
  db: Db;
  authority: Authority;
  lookups: CachedLookups;
  limiter: RateLimiter;
  slots: RequestSlots;
  limits: Limits;
  keyLimits: KeyLimits;
  publicUrl: () => string;
};

/** Guards every route, in this order: credential, rate limit, project or workspace, feature, scope, permission. */
export function guard(
  app: FastifyInstance,
  { db, authority, lookups, limiter, slots, limits, keyLimits, publicUrl }: GuardOptions,
) {
  const requestLimits = new RequestLimits(limiter, limits, keyLimits);
  for (const property of ["caller", "session", "project", "access", "features", "workspace", "keyUse"])
    app.decorateRequest(property);
  app.addHook("onRoute", requireConsistentNeeds);
  admitAgainAfterBody(app, { db, authority, publicUrl });

  app.addHook("onRequest", async (request, reply) => {
    const { needs, tokenOnly = false, session } = request.routeOptions.config;
    // Only the handler for unknown paths declares no needs.
    if (needs === undefined || needs === "ingest-key") return;
    if (needs === "nothing") {
      refuseCrossSite(request);
      await requestLimits.countByAddress(request, reply);
      if (session === "optional") request.session = await optionalSession(authority, request, publicUrl());
      request.admittedAt = performance.now();
      return;
    }
    const credential = credentialOf(request, publicUrl(), tokenOnly);
    if (credential.kind === "token" && looksLikeIngestKey(credential.secret)) {
      const ingestKey = await authority.ingestKey(credential.secret);
      if (ingestKey) return acceptKey(request, reply, ingestKey);
    }
    const caller = await callerBy(authority, credential);
    if (!caller) {
      await requestLimits.countInvalid(request, reply, credential.kind);
      throw invalidCredential(credential.kind, tokenOnly);
    }
    request.caller = caller;
    if (caller.kind === "session") requireSameOrigin(request, publicUrl());
    slots.take(request, reply, caller.key);
    await requestLimits.count(request, reply, caller);
    await admit(request, { authority, db });
    request.admittedAt = performance.now();
  });

  async function acceptKey(request: FastifyRequest, reply: FastifyReply, key: IngestKey) {
    const isOriginAllowed = answerOrigin(request, reply, key);
    request.keyUse = { keyId: key.id, projectId: key.projectId, isOriginAllowed };
    slots.take(request, reply, `ing:${key.id}`);
    await requestLimits.countKey(request, reply, key.id);
    admitByKey(request, key);
    if (!isOriginAllowed) throw forbidden("Pages of this origin may not use the ingest key.");
    noteKeyUse(db, key.id);
    request.admittedAt = performance.now();
  }

  // Any write may have changed someone's access, or what a lookup found.
  app.addHook("onSend", (request, _reply, payload, done) => {
    if (!SAFE.has(request.method) && !request.routeOptions.config.tokenOnly) lookups.forget();
    done(null, payload);
  });
}
