import type { FastifyInstance } from "fastify";
import { clientIp } from "./client-address.ts";

/** Slower requests are logged at `info`. */
const SLOW_MS = 1_000;

type RequestLogOptions = {
  slowMs?: number;
  /** Logs every request at `info`, with the client's address and the id of the credential. */
  access?: boolean;
};

/**
 * Logs one line per request: at `info` if it failed with a 5xx status or was slow, else at `debug`. Lines contain the
 * route's pattern instead of the URL, whose query may contain a secret, and never a body.
 */
export function logRequests(
  app: FastifyInstance,
  { slowMs = SLOW_MS, access = false }: RequestLogOptions = {},
): void {
  const { log } = app;
  const isDebug = log.level === "debug" || log.level === "trace";
  app.addHook("onResponse", (request, reply, done) => {
    const { statusCode, elapsedTime } = reply;
    const { url = "none", config } = request.routeOptions;
    const isNotable = access || statusCode >= 500 || (elapsedTime > slowMs && !config.endless);
    if (isDebug || isNotable) {
      const { caller } = request;
      const line = {
        request_id: request.id,
        method: request.method,
        route: url,
        status: statusCode,
        ms: Math.round(elapsedTime * 10) / 10,
        ...(access && { address: clientIp(request), credential: caller?.key ?? null }),
        ...(caller && { caller: caller.kind, user_id: caller.user_id }),
        ...(caller && "token_id" in caller && { token_id: caller.token_id }),
      };
      log[isNotable ? "info" : "debug"](line, "request");
    }
    done();
  });
}
