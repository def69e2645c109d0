import { bootAnswer, bootQuery } from "../../shared/boot.ts";
import type { Api, Context } from "../access/context.ts";
import { readBoot } from "./read-boot.ts";

export function bootRoutes(api: Api, { database: { db } }: Context) {
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
    (request) => readBoot(db, request.caller, request.query.project),
  );
}
