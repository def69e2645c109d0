import type { FastifyInstance, FastifyRequest } from "fastify";
import { cutCodePoints } from "../../shared/text.ts";
import { clientIp } from "../http/client-address.ts";
import { withOrigin, type Origin } from "../record/origin.ts";
import type { Caller } from "./caller.ts";

/**
 * Makes each request's origin available to the audit log while its handler runs. The hook is `preHandler`, because reading a
 * body loses the async context of earlier hooks. Ingestion skips this, because it records nothing.
 */
export function provideOrigins(app: FastifyInstance) {
  app.addHook("preHandler", (request, _reply, done) => {
    if (request.routeOptions.config.limit === "ingest") return done();
    withOrigin(() => originOf(request), done);
  });
}

function originOf(request: FastifyRequest): Origin {
  const caller = (request.caller as Caller | undefined) ?? request.session;
  return {
    actor_id: caller?.user_id ?? null,
    token: caller && caller.kind !== "session" ? { kind: caller.kind, id: caller.token_id } : null,
    ip: clientIp(request),
    user_agent: cutCodePoints(request.headers["user-agent"] ?? "", 255) || null,
  };
}
