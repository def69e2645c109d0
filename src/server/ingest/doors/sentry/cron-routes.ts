import type { FastifyRequest } from "fastify";
import { badRequest, notFound, tooMany } from "../../../answers/errors.ts";
import type { Api, Context } from "../../../access/context.ts";
import { clientAddress } from "../../../http/client-address.ts";
import type { SentryCheckIns } from "../../../monitors/sentry-check-in.ts";
import { record } from "../../read/coerce.ts";
import { parseJson } from "../../read/sentry/read-sentry-bytes.ts";
import { admitSender } from "./admit-sender.ts";
import { recordCheckIn } from "./check-in-items.ts";
import { readSingle } from "./read-envelope.ts";
import type { EventIntake } from "./store-sentry-events.ts";

/** Seconds after which a refused check-in may be sent again. */
const RETRY_SECONDS = 60;

const config = {
  needs: "ingest-key",
  limit: "ingest",
  tokenOnly: true,
  readsBody: true,
} as const;

type Params = { projectId: string; monitorSlug: string; ingestKey: string };

/** Sentry's addresses for check-ins of programs without an SDK. The check-in is in the query, and in the JSON body of a POST. */
export function cronRoutes(api: Api, context: Context, intake: EventIntake & { checkIns: SentryCheckIns }) {
  for (const slash of ["", "/"])
    for (const method of ["GET", "POST"] as const)
      api.route<{ Params: Params }>({
        method,
        url: `/api/:projectId/cron/:monitorSlug/:ingestKey${slash}`,
        config,
        handler: async (request, reply) => {
          const { projectId, ingestKey, monitorSlug } = request.params;
          const key = await admitSender(context, { request, reply }, ingestKey, projectId);
          context.slots.take(request, reply, `ing:${key.id}`);
          const sent = {
            status: "ok",
            ...queryOf(request),
            ...(await bodyOf(request)),
            monitor_slug: monitorSlug,
          };
          const outcome = await recordCheckIn(intake, key, sent, clientAddress(request));
          if (outcome === "too many") throw tooMany(RETRY_SECONDS);
          if (outcome === "unknown") throw notFound("There is no such monitor in this project.");
          if (outcome === "invalid") throw badRequest("The status must be in_progress, ok or error.");
          return reply.code(202).send({});
        },
      });
}

function queryOf({ query }: FastifyRequest): Record<string, unknown> {
  const { duration, ...rest } = query as Record<string, unknown>;
  return duration === undefined ? rest : { ...rest, duration: Number(duration) };
}

/** A POST may have no body. */
async function bodyOf({ method, raw }: FastifyRequest): Promise<Record<string, unknown>> {
  const hasBody =
    raw.headers["transfer-encoding"] !== undefined || Number(raw.headers["content-length"] ?? 0) > 0;
  return method === "POST" && hasBody ? { ...record(parseJson(await readSingle(raw))) } : {};
}
