import type { FastifyInstance } from "fastify";

/** Replaces NUL in path parameters with U+FFFD, as in stored names: PostgreSQL rejects NUL, and no id, slug or token contains it. */
export function repairPathParameters(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const params = request.params as Record<string, string>;
    for (const name in params)
      if (params[name]?.includes("\0") === true) params[name] = params[name].replaceAll("\0", "\uFFFD");
    done();
  });
}
