import type { FastifyInstance } from "fastify";

/** A request that takes longer is told of. */
const SLOW_MS = 1_000;

/**
 * One line for each request that was answered: at `info` when it failed on our side or took long, else at `debug`.
 * By the route's pattern, never by the address, whose query may hold a secret; and never with a body.
 */
export function logRequests(app: FastifyInstance, slowMs = SLOW_MS): void {
  const { log } = app;
  const debug = log.level === "debug" || log.level === "trace";
  app.addHook("onResponse", (request, reply, done) => {
    const { statusCode, elapsedTime } = reply;
    const { url = "none", config } = request.routeOptions;
    const notable = statusCode >= 500 || (elapsedTime > slowMs && !config.endless);
    if (debug || notable) {
      const { caller } = request;
      const line = {
        request_id: request.id,
        method: request.method,
        route: url,
        status: statusCode,
        ms: Math.round(elapsedTime * 10) / 10,
        ...(caller && { caller: caller.kind, user_id: caller.user_id }),
        ...(caller && "token_id" in caller && { token_id: caller.token_id }),
      };
      log[notable ? "info" : "debug"](line, "request");
    }
    done();
  });
}
