import type { FastifyInstance } from "fastify";
import type { Operation } from "../../answers/operation.ts";

/**
 * Collects every API route declared after this call, except the HEAD routes that Fastify adds to GET routes and the
 * preflight routes.
 */
export function collectOperations(app: FastifyInstance): Operation[] {
  const operations: Operation[] = [];
  app.addHook("onRoute", ({ method, url, config = {}, schema = {} }) => {
    if (!url.startsWith("/api/")) return;
    for (const each of [method].flat())
      if (each !== "HEAD" && each !== "OPTIONS") operations.push({ method: each, url, config, schema });
  });
  return operations;
}
