import type { FastifyRequest } from "fastify";
import type { Api, Context } from "../../access/context.ts";
import { callerByToken } from "../../access/caller.ts";
import { clientAddress } from "../../http/client-address.ts";
import { forbidden, unauthorized } from "../../answers/errors.ts";
import { answersWith } from "../../answers/operation.ts";
import { isAdministratorSomewhere } from "../../people/workspaces/read-workspaces.ts";
import { processMetrics } from "./process-metrics.ts";

/** For Prometheus: asked from the machine itself, or with a token of an administrator (platform.md, about). */
export function metricsRoutes(api: Api, { database: { db }, config: { limits }, limiter, metrics }: Context) {
  const ofProcess = processMetrics();

  const mayRead = async (request: FastifyRequest) => {
    const { authorization } = request.headers;
    if (authorization === undefined && isLocal(request)) return;
    // Whoever asks from elsewhere is counted: it is a credential that is tried.
    await limiter.require(`api:ip:${clientAddress(request)}`, limits.api);
    const token = /^bearer +(\S+) *$/i.exec(authorization ?? "")?.[1];
    const caller = token === undefined ? undefined : await callerByToken(db, token);
    if (!caller)
      throw unauthorized("Send an administrator's personal token, or ask from the machine itself.");
    if (caller.kind !== "personal" || !(await isAdministratorSomewhere(db, caller.user_id)))
      throw forbidden("Only an administrator's personal token may read the metrics.");
  };

  api.get(
    "/api/metrics",
    {
      // Also while the database is away, which a limit would ask.
      config: { needs: "nothing", limit: "none" },
      onRequest: mayRead,
      schema: {
        operationId: "readMetrics",
        summary: "Read the metrics",
        description:
          "In the text format of Prometheus. Answers requests from the machine itself that came through no proxy, and those with an administrator's personal token.",
        refuses: [401, 403, 429, 503],
        response: { 200: answersWith("text/plain") },
      },
    },
    async (_request, reply) => {
      const texts = await Promise.all([metrics.registry.metrics(), ofProcess.metrics()]);
      return reply.type(metrics.registry.contentType).send(texts.join("\n"));
    },
  );
}

const FORWARDED = [
  "forwarded",
  "via",
  "x-real-ip",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
];

/**
 * From this machine, by a name of this machine, and not passed on by a proxy. The name keeps out pages of other sites
 * that let their own name lead here.
 */
function isLocal({ raw, headers }: FastifyRequest): boolean {
  const address = raw.socket.remoteAddress ?? "";
  const isLoopback = /^(::ffff:)?127\.|^::1$/.test(address);
  const host = (headers.host ?? "").replace(/:\d+$/, "");
  const isNamedSo = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host);
  return isLoopback && isNamedSo && FORWARDED.every((name) => headers[name] === undefined);
}
