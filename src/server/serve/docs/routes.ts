import type { Api } from "../../access/context.ts";
import { noBody } from "../../answers/operation.ts";

/** The API reference is a page of the web app, which renders openapi.json. This is its address since the first version. */
export function docsRoutes(api: Api) {
  api.get(
    "/api/docs",
    {
      // No rate limit: this route does not use the database.
      config: { needs: "nothing", limit: "none" },
      schema: {
        operationId: "readReference",
        summary: "Open the API reference",
        response: { 302: noBody },
        sends: ["Location"],
      },
    },
    (_request, reply) => reply.redirect("/reference"),
  );
}
