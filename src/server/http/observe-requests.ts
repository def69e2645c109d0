import type { FastifyInstance } from "fastify";
import type { EventOutcome, Metrics } from "./metrics.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The response is a stream that stays open, so its duration is not recorded. */
    endless?: boolean;
  }
}

/** Records the duration of every request by the pattern of its route, and the outcome of every error event. */
export function observeRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook("onResponse", (request, reply, done) => {
    const { url = "none", config } = request.routeOptions;
    const { statusCode } = reply;
    if (!config.endless || statusCode >= 400)
      metrics.request(
        { method: request.method, route: url, status: `${Math.floor(statusCode / 100)}xx` },
        reply.elapsedTime / 1000,
      );
    // Many requests of some protocols contain no event, so their routes record the outcomes themselves.
    const countsItself = config.needs === "ingest-key" || config.countsEvents === true;
    if (config.limit === "ingest" && !countsItself) metrics.event(outcomeOf(statusCode));
    done();
  });
}

export function outcomeOf(status: number): EventOutcome {
  if (status < 300) return "accepted";
  if (status === 401 || status === 403 || status === 404) return "forbidden";
  if (status === 413) return "too_large";
  if (status === 429) return "limited";
  if (status === 503) return "overloaded";
  return status < 500 ? "invalid" : "error";
}
