import type { FastifyRequest } from "fastify";
import { pageOf } from "../../../../shared/answers.ts";
import { ingestKeyAnswer, ingestKeyBody, ingestKeyChanges } from "../../../../shared/ingest-keys.ts";
import type { Api, Context } from "../../../access/context.ts";
import { noBody } from "../../../answers/operation.ts";
import { pageQuery } from "../../../answers/page.ts";
import { childId } from "../../../answers/validation.ts";
import { createIngestKey } from "./create-key.ts";
import { deleteIngestKey } from "./delete-key.ts";
import { listIngestKeys, readIngestKey } from "./read-keys.ts";
import { updateIngestKey } from "./update-key.ts";

const config = { needs: "project:update" } as const;
const keys = "/api/projects/:projectId/ingest-keys";
const key = `${keys}/:ingestKeyId`;
const mustExist = async (request: FastifyRequest) => {
  await readIngestKey(request.db, request.project.id, childId(request, "ingestKeyId"));
};

export function ingestKeyRoutes(api: Api, context: Context) {
  listRoutes(api, context);
  itemRoutes(api, context);
}

function listRoutes(api: Api, { publicUrl }: Context) {
  api.get(
    keys,
    {
      config,
      schema: {
        operationId: "listIngestKeys",
        summary: "List a project's ingest keys with their DSNs",
        querystring: pageQuery,
        response: { 200: pageOf(ingestKeyAnswer) },
      },
    },
    (request) => listIngestKeys(request.db, publicUrl(), request.project.id, request.query),
  );

  api.post(
    keys,
    {
      config,
      schema: {
        operationId: "createIngestKey",
        summary: "Create an ingest key",
        description:
          "An ingest key can only send error events and feedback to its project. It may be part of a web page. Requests without an `Origin` header are never limited by `allowed_origins`.",
        body: ingestKeyBody,
        response: { 201: ingestKeyAnswer },
      },
    },
    async (request, reply) => {
      const { project, caller, body } = request;
      return reply.code(201).send(
        await createIngestKey(request.db, publicUrl(), {
          projectId: project.id,
          actorId: caller.user_id,
          body,
        }),
      );
    },
  );
}

function itemRoutes(api: Api, { publicUrl }: Context) {
  api.patch(
    key,
    {
      config,
      schema: {
        operationId: "updateIngestKey",
        summary: "Update an ingest key",
        body: ingestKeyChanges,
        response: { 200: ingestKeyAnswer },
      },
      preValidation: mustExist,
    },
    (request) =>
      updateIngestKey(request.db, publicUrl(), {
        projectId: request.project.id,
        keyId: childId(request, "ingestKeyId"),
        body: request.body,
      }),
  );

  api.delete(
    key,
    {
      config,
      schema: {
        operationId: "deleteIngestKey",
        summary: "Delete an ingest key",
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await deleteIngestKey(request.db, request.project.id, childId(request, "ingestKeyId"));
      return reply.code(204).send();
    },
  );
}
