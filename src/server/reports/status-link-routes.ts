import type { FastifyRequest } from "fastify";
import { statusLinkAnswer } from "../../shared/report-status.ts";
import type { Api, Context } from "../access/context.ts";
import { noBody } from "../answers/operation.ts";
import { reportId } from "./attachment-routes.ts";
import { requireReport } from "./report-access.ts";
import { renewStatusLink, revokeStatusLink, type LinkChange } from "./status-link.ts";
import { readStatusUrl } from "./status/report-token.ts";

const LINK = "/api/projects/:projectId/reports/:reportId/status-link";

/** The link with which the author of a report, who has no account, sees what becomes of it. */
export function statusLinkRoutes(api: Api, { publicUrl }: Context) {
  // Whoever has the link can write in the author's name.
  const config = { needs: "reports:update", feature: "reports", area: "reports", secret: true } as const;
  const changeOf = (request: FastifyRequest): LinkChange => ({
    projectId: request.project.id,
    reportId: reportId(request),
    actorId: request.caller.user_id,
  });

  api.get(
    LINK,
    {
      config,
      schema: {
        operationId: "readStatusLink",
        summary: "Read the status link of a report",
        description: "Null if it is revoked, or if somebody with an account wrote the report.",
        response: { 200: statusLinkAnswer },
      },
      preValidation: (request) => requireReport(request.db, request),
    },
    async (request) => ({
      url: await readStatusUrl(request.db, publicUrl(), reportId(request)),
    }),
  );

  api.post(
    LINK,
    {
      config,
      schema: {
        operationId: "renewStatusLink",
        summary: "Replace the status link of a report",
        description: "The earlier link ends.",
        response: { 201: statusLinkAnswer },
        refuses: [422],
      },
    },
    async (request, reply) =>
      reply.code(201).send({ url: await renewStatusLink(request.db, publicUrl(), changeOf(request)) }),
  );

  api.delete(
    LINK,
    {
      config,
      schema: {
        operationId: "revokeStatusLink",
        summary: "Revoke the status link of a report",
        description: "While it is revoked, nobody outside the team gets emails about the report.",
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await revokeStatusLink(request.db, changeOf(request));
      return reply.code(204).send();
    },
  );
}
