import { bootAnswer, bootQuery, readsAnswer, readsQuery } from "../../shared/boot.ts";
import type { Api, Context } from "../access/context.ts";
import { readBoot } from "./read-boot.ts";
import { readTogether } from "./read-together.ts";

export function bootRoutes(api: Api, { publicUrl }: Context) {
  api.get(
    "/api/boot",
    {
      config: { needs: "session" },
      schema: {
        operationId: "readBoot",
        summary: "Read what every page of the web app needs",
        querystring: bootQuery,
        response: { 200: bootAnswer },
      },
    },
    (request) => readBoot(request.db, request.caller, publicUrl(), request.query.project),
  );

  api.get(
    "/api/reads",
    {
      config: { needs: "session" },
      schema: {
        operationId: "readTogether",
        summary: "Make several reads with one request",
        description:
          "For browsers on slow connections. Each read counts against the rate limit, requires the same permissions and returns the same body as a request of its own. Reads that fail, or are not JSON, are null; repeat them separately to get the error.",
        querystring: readsQuery,
        response: { 200: readsAnswer },
      },
    },
    async (request, reply) => {
      const { data, hasSecrets } = await readTogether(api, request, request.query.paths ?? []);
      reply.hasSecrets = hasSecrets;
      return { data };
    },
  );
}
