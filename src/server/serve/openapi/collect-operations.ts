import type { FastifyInstance } from "fastify";
import type { Operation } from "../../answers/operation.ts";

/**
 * Collects every API route declared after this call, except the HEAD routes that Fastify adds to GET routes, the preflight routes
 * and protocols that others document: that of Sentry SDKs, and MCP.
 */
export function collectOperations(app: FastifyInstance): Operation[] {
  const operations: Operation[] = [];
  app.addHook("onRoute", ({ method, url, config = {}, schema = {} }) => {
    const isOfOthers = /^\/api\/(0|embed|mcp)(\/|$)/.test(url) || config.needs === "ingest-key";
    if (!url.startsWith("/api/") || isOfOthers) return;
    for (const each of [method].flat())
      if (each !== "HEAD" && each !== "OPTIONS") operations.push({ method: each, url, config, schema });
  });
  return operations;
}
