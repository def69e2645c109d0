import { countsAnswer, homeAnswer, homeVisitBody } from "../../shared/home.ts";
import type { Api } from "../access/context.ts";
import { noBody } from "../answers/operation.ts";
import { readCounts } from "./project-numbers.ts";
import { readHome } from "./read-home.ts";
import { recordVisit } from "./visits.ts";

export function homeRoutes(api: Api) {
  api.get(
    "/api/home",
    {
      config: { needs: "caller" },
      schema: {
        operationId: "readHome",
        summary: "Read what changed since the caller's last visit, and what waits for them",
        response: { 200: homeAnswer },
      },
    },
    (request) => readHome(request.errorDb, request.caller),
  );

  api.post(
    "/api/home/visit",
    {
      config: { needs: "session" },
      schema: {
        operationId: "recordHomeVisit",
        summary: "Remember up to when the caller has seen the home page",
        body: homeVisitBody,
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await recordVisit(request.db, request.caller.user_id, request.body.seen_at);
      return reply.code(204).send();
    },
  );

  api.get(
    "/api/projects/:projectId/counts",
    {
      config: { needs: "access" },
      schema: {
        operationId: "readCounts",
        summary: "Count a project's waiting reports and open errors",
        response: { 200: countsAnswer },
      },
    },
    (request) => readCounts(request.db, request.caller, request.project.id),
  );
}
