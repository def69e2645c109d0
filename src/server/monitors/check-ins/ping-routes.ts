import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { filter } from "../../../shared/filters.ts";
import type { Api, Context } from "../../access/context.ts";
import { featureOff } from "../../access/refusal.ts";
import { notFound, tooMany } from "../../answers/errors.ts";
import { nameWithout } from "../../ingest/read/clean-name.ts";
import { readEventId } from "../../ingest/read/event-additions.ts";
import { addressesInName } from "../../ingest/remove-personal-data/personal-values.ts";
import type { ProjectRulesLookup } from "../../ingest/project-rules/project-rules.ts";
import { DEFAULT_ENVIRONMENT, type SentCheckIn } from "./check-in.ts";
import { openMonitorLookup } from "./find-monitor.ts";
import { cleanText, readPingBody } from "./ping-text.ts";
import type { CheckIns } from "./record-check-ins.ts";

/** Seconds after which a refused check-in may be sent again. */
const RETRY_SECONDS = 60;

const pingQuery = z.object({
  environment: filter.meta({ description: `Default: ${DEFAULT_ENVIRONMENT}.` }),
  rid: filter.meta({ description: "A UUID that the calls for the start and the end of a run share." }),
});

type Ping = FastifyRequest<{
  Params: { token: string; outcome?: string };
  Querystring: z.output<typeof pingQuery>;
}>;

type Options = { checkIns: CheckIns; projectRules: ProjectRulesLookup };

/** Ping URLs, for anything that can call a web address. Needs a scope of its own, because bodies of any type are accepted. */
export function pingRoutes(api: Api, context: Context, { checkIns, projectRules }: Options) {
  const findMonitor = openMonitorLookup(context.outside);
  api.removeAllContentTypeParsers();
  api.addContentTypeParser("*", (_request, _payload, done) => done(null, undefined));
  api.addHook("onRequest", (request, _reply, done) => {
    // Clients send any type or none.
    delete request.raw.headers["content-type"];
    done();
  });

  async function answer(request: Ping, reply: FastifyReply) {
    const monitor = await findMonitor(request.params.token);
    if (!monitor) throw noSuchPing();
    if (!monitor.is_feature_on) throw featureOff("error_tracking");
    const sent = readPing(request);
    const body = request.method === "POST" ? await readPingBody(request.raw) : null;
    const text = body && cleanText(body, (await projectRules.get(monitor.project_id))?.privacyRules ?? null);
    const outcome = await checkIns.record({ ...sent, text, monitor });
    if (outcome === "unknown") throw noSuchPing();
    if (outcome === "too many") throw tooMany(RETRY_SECONDS);
    return reply.type("text/plain; charset=utf-8").send("OK");
  }

  for (const path of ["/ping/:token", "/ping/:token/:outcome"])
    for (const method of ["GET", "POST"] as const)
      api.route({
        method,
        url: path,
        config: { needs: "nothing", limit: "ingest", readsBody: true },
        schema: { querystring: pingQuery },
        handler: (request, reply) => answer(request as Ping, reply),
      });
}

const noSuchPing = () => notFound("There is no such ping URL.");

/** 404 if the last part of the path is none of `start`, `fail` and an exit code. */
function readPing({ params: { outcome = "0" }, query }: Ping): Omit<SentCheckIn, "text"> {
  const isCode = /^\d{1,3}$/.test(outcome);
  if (!isCode && outcome !== "start" && outcome !== "fail") throw noSuchPing();
  return {
    status: outcome === "start" ? "in_progress" : isCode && Number(outcome) === 0 ? "ok" : "error",
    check_in_id: readEventId(query.rid),
    environment: nameWithout(addressesInName, query.environment, new Map()) ?? DEFAULT_ENVIRONMENT,
    duration: null,
    release: null,
    trace_id: null,
  };
}
