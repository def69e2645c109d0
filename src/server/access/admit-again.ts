import { callbackify } from "node:util";
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { forbidden } from "../answers/errors.ts";
import type { Db } from "../db/connect.ts";
import { onBodyRead } from "../http/body-listener.ts";
import { admitByKey, answerOrigin } from "./admit-by-key.ts";
import { admit } from "./admission.ts";
import type { Authority } from "./authority.ts";
import {
  callerBy,
  credentialOf,
  endedSession,
  invalidCredential,
  optionalSession,
  SAFE,
} from "./credential.ts";

/** Milliseconds. What was true before a body that takes longer to arrive may no longer be true. */
const SLOW_BODY_MS = 1_000;

/** Whether the body of a request that was admitted at this time (of `performance.now()`) took long to arrive. */
export const wasSlow = (admittedAt: number): boolean => performance.now() >= admittedAt + SLOW_BODY_MS;

type Check = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

declare module "fastify" {
  interface FastifyRequest {
    /** When the guard admitted the request, in milliseconds of `performance.now()`. */
    admittedAt: number;
  }
  interface FastifyContextConfig {
    /** The route's `onRequest` hooks, which check what the guard cannot. Set when the route is added. */
    checks?: Check[];
  }
}

type Options = { db: Db; authority: Authority; publicUrl: () => string };

/**
 * Checks requests that may change something again if their body took long to arrive, as the guard and the route's `onRequest`
 * hooks did. Otherwise a client could hold back a body and act after losing its rights.
 */
export function admitAgainAfterBody(app: FastifyInstance, options: Options): void {
  app.decorateRequest("admittedAt", 0);
  app.addHook("onRoute", (route: RouteOptions) => {
    route.config = { ...route.config, checks: [route.onRequest ?? []].flat() as Check[] };
  });
  app.addHook("preValidation", (request, reply, done) => {
    if (SAFE.has(request.method)) return done();
    const again = async () => {
      if (wasSlow(request.admittedAt)) await admitAgain(options, request, reply);
    };
    // The handler reads the body.
    if (request.body === undefined) onBodyRead(request.raw, again);
    if (!wasSlow(request.admittedAt)) return done();
    callbackify(again)((error: Error | null) => (error ? done(error) : done()));
  });
}

async function admitAgain(options: Options, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { db, authority, publicUrl } = options;
  const { needs, tokenOnly = false, checks = [] } = request.routeOptions.config;
  if (needs === undefined || needs === "ingest-key") return;
  if (needs === "nothing") {
    if (!request.session) return;
    request.session = await optionalSession(authority, request, publicUrl());
    if (!request.session) throw endedSession();
    return;
  }
  const credential = credentialOf(request, publicUrl(), tokenOnly);
  const key = request.keyUse && (await authority.ingestKey(credential.secret));
  if (key) {
    admitByKey(request, key);
    if (!answerOrigin(request, reply, key, publicUrl()))
      throw forbidden("Pages of this origin may not use the ingest key.");
    return;
  }
  const caller = await callerBy(authority, credential);
  if (!caller) throw invalidCredential(credential.kind, tokenOnly);
  request.caller = caller;
  await admit(request, { authority, db });
  for (const check of checks) await check(request, reply);
}
