import { pageOf } from "../../../shared/answers.ts";
import {
  newPersonalTokenAnswer,
  personalTokenAnswer,
  personalTokenBody,
} from "../../../shared/personal-tokens.ts";
import type { Api } from "../../access/context.ts";
import { pageQuery } from "../../answers/page.ts";
import { pathId } from "../../answers/validation.ts";
import { noBody } from "../../answers/operation.ts";
import { createPersonalToken } from "./create-personal-token.ts";
import { deletePersonalToken } from "./delete-personal-token.ts";
import { listPersonalTokens } from "./list-personal-tokens.ts";

/** For browser sessions only: a token cannot create tokens. */
export function personalTokenRoutes(api: Api) {
  const config = { needs: "session" } as const;

  api.get(
    "/api/profile/tokens",
    {
      config,
      schema: {
        operationId: "listPersonalTokens",
        summary: "List the caller's personal tokens",
        querystring: pageQuery,
        response: { 200: pageOf(personalTokenAnswer) },
      },
    },
    (request) => listPersonalTokens(request.db, request.caller.user_id, request.query),
  );

  api.post(
    "/api/profile/tokens",
    {
      config,
      schema: {
        operationId: "createPersonalToken",
        summary: "Create a personal token, shown only in this response",
        description:
          "With `scopes` and `project_ids`, the token may only read or write in these areas of these projects, and never more than its user; `write` then follows from `scopes`, where `write` includes `read`. Areas: `issues` are issues, epics, sprints, their comments, attachments, watches and history, and reading lanes and labels. `reports` are reports with their comments and attachments, `similar`, dismissing and promoting. `errors` are error groups, events, releases, deploys, artifacts, and sending error events. Such a token may also read `/api/profile`, `/api/projects`, `/api/search` and `/api/events`; everything else is 403. Neither can be changed later.",
        body: personalTokenBody,
        response: { 201: newPersonalTokenAnswer },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await createPersonalToken(request.db, request.caller.user_id, request.body)),
  );

  api.delete<{ Params: { tokenId: string } }>(
    "/api/profile/tokens/:tokenId",
    {
      config,
      schema: {
        operationId: "deletePersonalToken",
        summary: "Revoke a personal token",
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await deletePersonalToken(request.db, request.caller.user_id, pathId(request.params.tokenId));
      return reply.code(204).send();
    },
  );
}
