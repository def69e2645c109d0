import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * Pages of any origin may call this route, a GET or POST, and read its errors; a preflight route is added. With "always", programs get
     * the CORS headers, too, as Sentry's clients expect. With "feedback" likewise, but pages may send other headers.
     */
    crossOrigin?: true | "always" | "feedback";
  }
}

/** The headers that Sentry SDKs and the reporter send, and those that they read. */
const SENT =
  "x-sentry-auth, x-requested-with, origin, accept, content-type, authentication, authorization, content-encoding, transfer-encoding, sentry-trace, baggage";
const SENT_WITH_FEEDBACK = "authorization, content-type, idempotency-key";
const READ = "x-sentry-error, x-sentry-rate-limits, retry-after";

/**
 * Adds CORS headers to the responses to web pages of the routes that declare `crossOrigin`. Call this before the guard, so that web
 * pages can read why it rejects a request.
 */
export function allowCrossOrigin(app: FastifyInstance): void {
  app.addHook("onRoute", function (route) {
    const { crossOrigin } = route.config ?? {};
    const { method } = route;
    if (!crossOrigin || (method !== "GET" && method !== "POST")) return;
    this.options(
      route.url,
      { config: { needs: "nothing", limit: "none", crossOrigin } },
      async (_request, reply) =>
        reply
          .code(204)
          .headers({
            "access-control-allow-methods": method,
            "access-control-allow-headers": crossOrigin === "feedback" ? SENT_WITH_FEEDBACK : SENT,
            "access-control-max-age": "3600",
          })
          .send(),
    );
  });

  app.addHook("onRequest", (request, reply, done) => {
    const { crossOrigin } = request.routeOptions.config;
    const { origin } = request.headers;
    if (crossOrigin && (crossOrigin !== true || origin !== undefined))
      void reply.headers(corsHeaders(origin));
    done();
  });
}

/** Web pages send an `Origin` header, programs do not. If the key has a list of origins, only the sender may read the response. */
export function corsHeaders(
  origin: string | undefined,
  allowedOrigins: readonly string[] = [],
): Record<string, string> {
  const hasList = allowedOrigins.length > 0;
  const allowed = hasList ? origin : "*";
  return {
    ...(allowed !== undefined && { "access-control-allow-origin": allowed }),
    "access-control-expose-headers": READ,
    ...(hasList && { vary: "origin" }),
  };
}
