import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { clientIp } from "./client-address.ts";

/** Slower requests are logged at `info`. */
const SLOW_MS = 1_000;

type RequestLogOptions = {
  slowMs?: number;
  /** Logs every request at `info`, with the client's address and the id of the credential. */
  access?: boolean;
};

/** Whether a line is logged for every request. */
export const isDebug = ({ level }: FastifyBaseLogger): boolean => level === "debug" || level === "trace";

/** The fields of a line about a request and its response. */
export type Answered = {
  id: string;
  method: string;
  route: string;
  status: number;
  ms: number;
  caller: Caller | undefined;
};

type Caller = { kind: string; user_id: number; key: string } & ({ token_id: number } | object);

/** Logs a request that bypassed the framework, if it failed or was slow. */
export function logIfNotable(log: FastifyBaseLogger, answered: Answered, slowMs = SLOW_MS): void {
  if (answered.status >= 500 || answered.ms > slowMs) log.info(lineOf(answered), "request");
}

const lineOf = ({ id, method, route, status, ms, caller }: Answered) => ({
  request_id: id,
  method,
  route,
  status,
  ms: Math.round(ms * 10) / 10,
  ...(caller && { caller: caller.kind, user_id: caller.user_id }),
  ...(caller && "token_id" in caller && { token_id: caller.token_id }),
});

/**
 * Logs one line per request: at `info` if it failed with a 5xx status or was slow, else at `debug`. Lines contain the
 * route's pattern instead of the URL, whose query may contain a secret, and never a body.
 */
export function logRequests(
  app: FastifyInstance,
  { slowMs = SLOW_MS, access = false }: RequestLogOptions = {},
): void {
  const { log } = app;
  const logsAll = isDebug(log);
  app.addHook("onResponse", (request, reply, done) => {
    const { statusCode, elapsedTime } = reply;
    const { url = "none", config } = request.routeOptions;
    const isNotable = access || statusCode >= 500 || (elapsedTime > slowMs && !config.endless);
    if (logsAll || isNotable) {
      const { id, method } = request;
      const caller = request.caller as Caller | undefined;
      const line = lineOf({ id, method, route: url, status: statusCode, ms: elapsedTime, caller });
      const more = access ? { address: clientIp(request), credential: caller?.key ?? null } : {};
      log[isNotable ? "info" : "debug"]({ ...line, ...more }, "request");
    }
    done();
  });
}
