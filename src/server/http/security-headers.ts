import type { FastifyInstance } from "fastify";

/**
 * Headers of every response that prevent sniffing, framing, caching and running scripts, keep other sites' windows apart
 * and, if the public URL is https, make browsers never use http again. Routes may override them.
 */
export function securityHeadersFor(publicUrl: string | undefined): Record<string, string> {
  return publicUrl?.startsWith("https:") ? { ...HEADERS, ...HSTS } : HEADERS;
}

export function setSecurityHeaders(app: FastifyInstance, headers: Record<string, string>): void {
  app.addHook("onRequest", (_request, reply, done) => {
    void reply.headers(headers);
    done();
  });
}

/** One year. Other names of the domain may not support https. */
const HSTS = { "strict-transport-security": "max-age=31536000" };

const HEADERS = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cache-control": "no-store",
};
