import { z } from "zod";
import type { Api, Context } from "../../access/context.ts";
import { makeReadiness, notReadyAnswer, readyAnswer, whyNotReady } from "./readiness.ts";

/** For monitors, which ask often and without a credential: no rate limit, no secrets. */
export function healthRoutes(
  api: Api,
  { database, config: { dataDir } }: Context,
  isDraining: () => boolean,
) {
  const config = { needs: "nothing", limit: "none" } as const;
  const readiness = makeReadiness({
    url: database.url,
    answerMs: database.watch.times.answerMs,
    dataDir,
    isDraining,
    onError: (error) => api.log.warn({ err: error }, "a readiness check failed"),
  });
  api.addHook("onClose", () => readiness.close());

  api.get(
    "/api/health",
    {
      config,
      schema: {
        operationId: "readHealth",
        summary: "Check whether the process is alive",
        response: { 200: z.strictObject({ status: z.literal("ok") }) },
      },
    },
    async () => ({ status: "ok" as const }),
  );

  api.get(
    "/api/ready",
    {
      config,
      schema: {
        operationId: "readReadiness",
        summary: "Check whether the server is ready",
        description:
          "Checks the database, its schema, free disk space (at least 200 MB and 2 %) and whether the server is stopping.",
        response: { 200: readyAnswer, 503: notReadyAnswer },
      },
    },
    async (_request, reply) => {
      const checks = await readiness.check();
      const message = whyNotReady(checks);
      if (message !== undefined) return reply.code(503).send({ message, checks });
      return { status: "ready" as const, checks };
    },
  );
}
