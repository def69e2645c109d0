import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Caller } from "../access/caller.ts";
import { cutCodePoints } from "../../shared/text.ts";
import { clientIp } from "../http/client-address.ts";

const requests = new AsyncLocalStorage<FastifyRequest>();

/**
 * Remembers for each handler whose request it answers, so that a verb deep inside can record it without being handed a
 * request. Entered before the handler and not earlier: reading a body leaves the context. Error events record nothing
 * and have no time to lose.
 */
export function rememberRequests(app: FastifyInstance) {
  app.addHook("preHandler", (request, _reply, done) => {
    if (request.routeOptions.config.limit === "ingest") return done();
    requests.run(request, done);
  });
}

export type Origin = {
  user_id: number | null;
  /** A token that acts for its user; sessions are the user. */
  token: { kind: "personal" | "project"; id: number } | null;
  ip: string | null;
  user_agent: string | null;
};

const NOBODY: Origin = { user_id: null, token: null, ip: null, user_agent: null };

/** Who asks, from where and by what; nobody, when a command or a job is at work. */
export function currentOrigin(): Origin {
  const request = requests.getStore();
  if (!request) return NOBODY;
  const caller = (request.caller as Caller | undefined) ?? request.session;
  return {
    user_id: caller?.user_id ?? null,
    token: caller && caller.kind !== "session" ? { kind: caller.kind, id: caller.token_id } : null,
    ip: clientIp(request),
    user_agent: cutCodePoints(request.headers["user-agent"] ?? "", 255) || null,
  };
}
