import type { FastifyInstance } from "fastify";
import type { EventOutcome, Metrics } from "./metrics.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** An answer that lasts as long as somebody reads it: how long says nothing. */
    endless?: boolean;
  }
}

/** Times every request that reached a route or none, by the route's pattern. */
export function observeRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook("onResponse", (request, reply, done) => {
    const { url = "none", config } = request.routeOptions;
    const { statusCode } = reply;
    if (!config.endless || statusCode >= 400)
      metrics.request(
        { method: request.method, route: url, status: `${Math.floor(statusCode / 100)}xx` },
        reply.elapsedTime / 1000,
      );
    if (config.limit === "ingest") metrics.event(outcomeOf(statusCode));
    done();
  });
}

/** What became of an error event, by the status it was answered with. */
export function outcomeOf(status: number): EventOutcome {
  if (status < 300) return "accepted";
  if (status === 401 || status === 403 || status === 404) return "forbidden";
  if (status === 413) return "too_large";
  if (status === 429) return "limited";
  if (status === 503) return "overloaded";
  return status < 500 ? "invalid" : "error";
}
