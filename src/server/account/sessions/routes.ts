import type { FastifyRequest } from "fastify";
import { pageOf } from "../../../shared/answers.ts";
import { sessionAnswer } from "../../../shared/sessions.ts";
import type { Api, Context } from "../../access/context.ts";
import { clearSessionCookie } from "../../access/sessions.ts";
import { forbidden } from "../../answers/errors.ts";
import { pageQuery } from "../../answers/page.ts";
import { childId } from "../../answers/validation.ts";
import { noBody } from "../../answers/operation.ts";
import { endOtherSessions, endSession } from "./end-sessions.ts";
import { listSessions } from "./list-sessions.ts";

/** The list of places where the caller is signed in, for browser sessions only. */
export function ownSessionRoutes(api: Api, { publicUrl }: Context) {
  const config = { needs: "session" } as const;

  api.get(
    "/api/profile/sessions",
    {
      config,
      schema: {
        operationId: "listSessions",
        summary: "List the caller's sessions",
        querystring: pageQuery,
        response: { 200: pageOf(sessionAnswer) },
      },
    },
    (request) => listSessions(request.db, sessionOf(request), request.query),
  );

  api.delete(
    "/api/profile/sessions",
    {
      config,
      schema: {
        operationId: "endOtherSessions",
        summary: "End all other sessions",
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await endOtherSessions(request.db, sessionOf(request));
      return reply.code(204).send();
    },
  );

  api.delete(
    "/api/profile/sessions/:sessionId",
    { config, schema: { operationId: "endSession", summary: "End a session", response: { 204: noBody } } },
    async (request, reply) => {
      const sessionId = childId(request, "sessionId", "There is no such session.");
      if (await endSession(request.db, sessionOf(request), sessionId)) clearSessionCookie(reply, publicUrl());
      return reply.code(204).send();
    },
  );
}

function sessionOf({ caller }: Pick<FastifyRequest, "caller">) {
  if (caller.kind !== "session") throw forbidden("Only a browser session may do this.");
  return caller;
}
