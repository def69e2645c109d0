import type { FastifyInstance, FastifyReply } from "fastify";

/** Sets headers on every response that prevent sniffing, framing, caching and running scripts. Routes may override them. */
export function securityHeaders(app: FastifyInstance) {
  app.addHook("onRequest", (_request, reply, done) => {
    setSecurityHeaders(reply);
    done();
  });
}

export function setSecurityHeaders(reply: FastifyReply): void {
  void reply.headers(SECURITY_HEADERS);
}

export const SECURITY_HEADERS = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};
