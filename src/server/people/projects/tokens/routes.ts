import type { FastifyRequest } from "fastify";
import { pageOf } from "../../../../shared/answers.ts";
import {
  newProjectTokenAnswer,
  projectTokenAnswer,
  projectTokenBody,
  projectTokenChanges,
} from "../../../../shared/project-tokens.ts";
import type { Api } from "../../../access/context.ts";
import { pageQuery } from "../../../answers/page.ts";
import { childId } from "../../../answers/validation.ts";
import { noBody } from "../../../answers/operation.ts";
import { createProjectToken } from "./create-token.ts";
import { deleteProjectToken } from "./delete-token.ts";
import { listProjectTokens, readProjectToken } from "./read-tokens.ts";
import { updateProjectToken } from "./update-token.ts";

const config = { needs: "project:update" } as const;
const tokens = "/api/projects/:projectId/tokens";
const token = `${tokens}/:tokenId`;

const mustExist = async (request: FastifyRequest) => {
  await readProjectToken(request.db, request.project.id, childId(request, "tokenId"));
};

/** For sessions and personal tokens: a project token cannot create tokens. */
export function projectTokenRoutes(api: Api) {
  listRoutes(api);
  itemRoutes(api);
}

function listRoutes(api: Api) {
  api.get(
    tokens,
    {
      config,
      schema: {
        operationId: "listProjectTokens",
        summary: "List a project's tokens",
        querystring: pageQuery,
        response: { 200: pageOf(projectTokenAnswer) },
      },
    },
    (request) => listProjectTokens(request.db, request.project.id, request.query),
  );

  api.post(
    tokens,
    {
      config,
      schema: {
        operationId: "createProjectToken",
        summary: "Create a project token, shown only in this response",
        body: projectTokenBody,
        response: { 201: newProjectTokenAnswer },
      },
    },
    async (request, reply) => {
      const made = await createProjectToken(
        request.db,
        request.project.id,
        request.caller.user_id,
        request.body,
      );
      return reply.code(201).send(made);
    },
  );
}

function itemRoutes(api: Api) {
  api.patch(
    token,
    {
      config,
      schema: {
        operationId: "updateProjectToken",
        summary: "Update a project token",
        description: "Requires every permission that the creator of the token has in the project.",
        body: projectTokenChanges,
        response: { 200: projectTokenAnswer },
      },
      preValidation: mustExist,
    },
    (request) =>
      updateProjectToken(request.db, request.project.id, {
        access: request.access,
        tokenId: childId(request, "tokenId"),
        body: request.body,
      }),
  );

  api.delete(
    token,
    {
      config,
      schema: {
        operationId: "deleteProjectToken",
        summary: "Revoke a project token",
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await deleteProjectToken(request.db, request.project.id, childId(request, "tokenId"));
      return reply.code(204).send();
    },
  );
}
