import { usageAnswer, usageQuery } from "../../../shared/usage.ts";
import type { Api, Context } from "../../access/context.ts";
import { readUsage } from "./read-usage.ts";

export function usageRoutes(api: Api, { config }: Context) {
  api.get(
    "/api/projects/:projectId/usage",
    {
      config: { needs: "error-groups:read", feature: "error_tracking" },
      schema: {
        operationId: "readUsage",
        summary: "Read how many events a project sent per day, and what happened to them",
        description:
          "`kept` (in full) and `trimmed` are parts of `accepted`. `trimmed` events were counted without their details, because the events of the day had reached `storage_quota` or their sender created too many error groups. `limited` events exceeded the rate limit, `invalid` ones could not be read, `filtered` ones were rejected by level, origin or a rule, `duplicate` ones were sent before, and `discarded` parts of Sentry envelopes are not used. `storm` says since when, within the last 24 hours, more events arrived than could be stored, so that some were counted but not kept in full, or were rejected with 503. `stored_bytes` estimates how much the events of the day added to the database. Counts are written once a second.",
        querystring: usageQuery,
        response: { 200: usageAnswer },
      },
    },
    (request) => readUsage(request.db, request.project.id, request.query.days, config.eventStorage),
  );
}
