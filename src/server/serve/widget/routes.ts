import { widgetAnswer } from "../../../shared/widget.ts";
import type { Api } from "../../access/context.ts";

/** The feedback widget knows its key only. */
export function widgetRoutes(api: Api) {
  api.get(
    "/api/widget",
    {
      config: {
        needs: "caller",
        ingestKey: "only",
        feature: "reports",
        tokenOnly: true,
        crossOrigin: "feedback",
      },
      schema: {
        operationId: "readWidget",
        summary: "Find the project of an ingest key",
        description:
          "The feedback widget reads this when its form opens. It is refused for the same reasons as feedback.",
        response: { 200: widgetAnswer },
      },
    },
    async (request) => ({ project_id: request.project.id }),
  );
}
