import type { FastifyInstance } from "fastify";
import type { Operation } from "../../answers/operation.ts";

/** Gathers every route of the API that is declared from here on; HEAD goes without saying. */
export function collectOperations(app: FastifyInstance): Operation[] {
  const operations: Operation[] = [];
  app.addHook("onRoute", ({ method, url, config = {}, schema = {} }) => {
    if (!url.startsWith("/api/")) return;
    for (const one of [method].flat())
      if (one !== "HEAD") operations.push({ method: one, url, config, schema });
  });
  return operations;
}
