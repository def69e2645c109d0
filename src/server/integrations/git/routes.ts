import type { FastifyRequest } from "fastify";
import { pageOf } from "../../../shared/answers.ts";
import {
  gitConnectionAnswer,
  gitConnectionBody,
  gitConnectionChanges,
  newGitConnectionAnswer,
} from "../../../shared/git.ts";
import type { Api, Context } from "../../access/context.ts";
import { noBody } from "../../answers/operation.ts";
import { pageQuery } from "../../answers/page.ts";
import { childId } from "../../answers/validation.ts";
import {
  createConnection,
  deleteConnection,
  listConnections,
  readConnection,
  updateConnection,
} from "./connections.ts";

const config = { needs: "project:update" } as const;
const connections = "/api/projects/:projectId/git-connections";
const connection = `${connections}/:gitConnectionId`;
const connectionId = (request: FastifyRequest) => childId(request, "gitConnectionId");

export function gitConnectionRoutes(api: Api, context: Context) {
  listRoutes(api, context);
  itemRoutes(api, context);
}

function listRoutes(api: Api, { publicUrl }: Context) {
  api.get(
    connections,
    {
      config,
      schema: {
        operationId: "listGitConnections",
        summary: "List a project's Git connections",
        querystring: pageQuery,
        response: { 200: pageOf(gitConnectionAnswer) },
      },
    },
    (request) => listConnections(request.db, publicUrl(), request.project.id, request.query),
  );

  api.post(
    connections,
    {
      config,
      schema: {
        operationId: "createGitConnection",
        summary: "Connect a Git host",
        description:
          "Enter `url` and `secret` as a webhook of the host. Only this response contains the secret. `on_open: doing` moves issues in lanes of kind todo or backlog to the first lane of kind doing when a request that names them is opened.",
        body: gitConnectionBody,
        response: { 201: newGitConnectionAnswer },
      },
    },
    async (request, reply) => {
      const { project, body, db } = request;
      return reply.code(201).send(await createConnection(db, publicUrl(), { projectId: project.id, body }));
    },
  );
}

function itemRoutes(api: Api, { publicUrl }: Context) {
  api.patch(
    connection,
    {
      config,
      schema: {
        operationId: "updateGitConnection",
        summary: "Update a Git connection",
        body: gitConnectionChanges,
        response: { 200: gitConnectionAnswer },
      },
      preValidation: async (request) => {
        await readConnection(request.db, request.project.id, connectionId(request));
      },
    },
    (request) => {
      const { project, body, db } = request;
      return updateConnection(db, publicUrl(), { projectId: project.id, id: connectionId(request), body });
    },
  );

  api.delete(
    connection,
    {
      config,
      schema: {
        operationId: "deleteGitConnection",
        summary: "Delete a Git connection",
        description: "Deliveries to its address are rejected from then on. Commits and requests stay linked.",
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await deleteConnection(request.db, request.project.id, connectionId(request));
      return reply.code(204).send();
    },
  );
}
