import type { FastifyRequest } from "fastify";
import { pageOf } from "../../../shared/answers.ts";
import { labelAnswer, labelBody, labelChanges } from "../../../shared/labels.ts";
import type { Api } from "../../access/context.ts";
import { pageQuery } from "../../answers/page.ts";
import { childId } from "../../answers/validation.ts";
import { noBody } from "../../answers/operation.ts";
import { createLabel, deleteLabel, listLabels, readLabel, updateLabel } from "./labels.ts";

const labels = "/api/projects/:projectId/labels";
const label = `${labels}/:labelId`;
const manage = { needs: "project:update" } as const;

// Runs before validation, so that an unknown label is 404 even when the body is invalid.
const requireLabel = async (request: FastifyRequest) => {
  await readLabel(request.db, request.project.id, childId(request, "labelId"));
};

export function labelRoutes(api: Api) {
  listRoutes(api);
  itemRoutes(api);
}

function listRoutes(api: Api) {
  api.get(
    labels,
    {
      config: { needs: "access", area: "issues" },
      schema: {
        operationId: "listLabels",
        summary: "List a project's labels",
        querystring: pageQuery,
        response: { 200: pageOf(labelAnswer) },
      },
    },
    (request) => listLabels(request.db, request.project.id, request.query),
  );

  api.post(
    labels,
    {
      config: manage,
      schema: {
        operationId: "createLabel",
        summary: "Create a label",
        body: labelBody,
        response: { 201: labelAnswer },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await createLabel(request.db, request.project.id, request.body)),
  );
}

function itemRoutes(api: Api) {
  api.patch(
    label,
    {
      config: manage,
      schema: {
        operationId: "updateLabel",
        summary: "Change a label",
        body: labelChanges,
        response: { 200: labelAnswer },
      },
      preValidation: requireLabel,
    },
    (request) => updateLabel(request.db, request.project.id, childId(request, "labelId"), request.body),
  );

  api.delete(
    label,
    {
      config: manage,
      schema: { operationId: "deleteLabel", summary: "Delete a label", response: { 204: noBody } },
    },
    async (request, reply) => {
      await deleteLabel(request.db, request.project.id, childId(request, "labelId"), request.caller.user_id);
      return reply.code(204).send();
    },
  );
}
