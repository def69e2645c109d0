import type { FastifyRequest } from "fastify";
import type { Api, Context } from "../../access/context.ts";
import { callersByTokens } from "../../access/caller.ts";
import { clientAddress } from "../../http/client-address.ts";
import { forbidden, unauthorized } from "../../answers/errors.ts";
import { answersWith } from "../../answers/operation.ts";
import { isAdministratorSomewhere } from "../../people/workspaces/read-workspaces.ts";
import { collectDefaultMetrics, Registry } from "prom-client";

/** For Prometheus, which has an administrator's personal token or, if METRICS_LOOPBACK is set, runs on this machine. */
export function metricsRoutes(
  api: Api,
  { outside: db, config: { limits, metricsLoopback }, authority, limiter, metrics }: Context,
) {
  const mayRead = async (request: FastifyRequest) => {
    const { authorization } = request.headers;
    if (metricsLoopback && authorization === undefined && isLocal(request)) return;
    // Rate-limited, because such a request could guess credentials.
    await limiter.require(`api:ip:${clientAddress(request)}`, limits.api);
    const token = /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
    const [caller] = token === undefined ? [] : await callersByTokens(db, [token]);
    if (token !== undefined && (await authority.ingestKey(token))) throw notAdministrator();
    if (!caller)
      throw unauthorized(
        "Send an administrator's personal token, or set METRICS_LOOPBACK and send the request from the server's own machine.",
      );
    if (
      caller.kind !== "personal" ||
      caller.scope !== null ||
      !(await isAdministratorSomewhere(db, caller.user_id))
    )
      throw notAdministrator();
  };

  api.get(
    "/api/metrics",
    {
      // A rate limit would need the database, and metrics must be readable without it.
      config: { needs: "nothing", limit: "none" },
      onRequest: mayRead,
      schema: {
        operationId: "readMetrics",
        summary: "Read the metrics",
        description:
          "In the text format of Prometheus. Requires an administrator's personal token. With the setting `METRICS_LOOPBACK`, requests from the server's own machine that pass no proxy need none.",
        refuses: [401, 403, 429, 503],
        response: { 200: answersWith("text/plain") },
      },
    },
    async (_request, reply) => {
      const texts = await Promise.all([metrics.registry.metrics(), processMetrics().metrics()]);
      return reply.type(metrics.registry.contentType).send(texts.join("\n"));
    },
  );
}

const notAdministrator = () => forbidden("Only an administrator's personal token may read the metrics.");

const FORWARDED = [
  "forwarded",
  "via",
  "x-real-ip",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
];

/**
 * True if the request comes from this machine, addresses it by a loopback name, and did not pass a proxy. Checking the
 * name prevents DNS rebinding: a web page whose own name resolves to this machine.
 */
function isLocal({ raw, headers }: FastifyRequest): boolean {
  const address = raw.socket.remoteAddress ?? "";
  const isLoopback = /^(::ffff:)?127\.|^::1$/.test(address);
  const host = (headers.host ?? "").replace(/:\d+$/, "");
  const isLoopbackName = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host);
  return isLoopback && isLoopbackName && FORWARDED.every((name) => headers[name] === undefined);
}

/**
 * CPU, memory, event loop and garbage collection. Created by the first request, because measuring the event loop wakes the process a
 * hundred times a second. Shared by all apps of a process, such as those of a test.
 */
let registry: Registry | undefined;

function processMetrics(): Registry {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry });
  }
  return registry;
}
