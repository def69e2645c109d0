import type { FastifyRequest } from "fastify";
import { pageOf } from "../../../shared/answers.ts";
import { sprintAnswer, sprintBody, sprintChanges } from "../../../shared/sprints.ts";
import type { Api, Context } from "../../access/context.ts";
import { fieldsOf, listOrCsv, sendCsv } from "../../access/send-csv.ts";
import { listFormat, MAX_PAGE, pageQuery } from "../../answers/page.ts";
import { childId } from "../../answers/validation.ts";
import { noBody } from "../../answers/operation.ts";
import { createSprint, deleteSprint, listSprints, readSprint, updateSprint } from "./sprints.ts";

const sprints = "/api/projects/:projectId/sprints";
const sprint = `${sprints}/:sprintId`;
const read = { needs: "access", area: "issues" } as const;
const manage = { needs: "project:update", area: "issues" } as const;
const sprintId = (request: FastifyRequest) => childId(request, "sprintId", "There is no such sprint.");

// Runs before validation, so that an unknown sprint is 404 even when the body is invalid.
const requireSprint = async (request: FastifyRequest) => {
  await readSprint(request.db, request.project.id, sprintId(request));
};

export function sprintRoutes(api: Api, context: Context) {
  listRoutes(api, context);
  itemRoutes(api);
}

function listRoutes(api: Api, { uploads }: Context) {
  api.get(
    sprints,
    {
      config: read,
      schema: {
        operationId: "listSprints",
        summary: "List a project's sprints",
        querystring: pageQuery.extend(listFormat.shape),
        response: { 200: listOrCsv(pageOf(sprintAnswer)) },
      },
    },
    (request, reply) => {
      const { project, query } = request;
      if (query.format === "json") return listSprints(request.db, project.id, query);
      return sendCsv(request, reply, uploads, {
        name: "sprints",
        fields: fieldsOf(sprintAnswer),
        readPage: (db, cursor) => listSprints(db, project.id, { ...query, limit: MAX_PAGE, cursor }),
      });
    },
  );

  api.post(
    sprints,
    {
      config: manage,
      schema: {
        operationId: "createSprint",
        summary: "Create a sprint",
        body: sprintBody,
        response: { 201: sprintAnswer },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await createSprint(request.db, request.project.id, request.body)),
  );
}

function itemRoutes(api: Api) {
  api.get(
    sprint,
    {
      config: read,
      schema: { operationId: "readSprint", summary: "Read a sprint", response: { 200: sprintAnswer } },
    },
    (request) => readSprint(request.db, request.project.id, sprintId(request)),
  );

  api.patch(
    sprint,
    {
      config: manage,
      schema: {
        operationId: "updateSprint",
        summary: "Change a sprint",
        body: sprintChanges,
        response: { 200: sprintAnswer },
      },
      preValidation: requireSprint,
    },
    (request) => updateSprint(request.db, request.project.id, sprintId(request), request.body),
  );

  api.delete(
    sprint,
    {
      config: manage,
      schema: { operationId: "deleteSprint", summary: "Delete a sprint", response: { 204: noBody } },
    },
    async (request, reply) => {
      await deleteSprint(request.db, request.project.id, sprintId(request), request.caller.user_id);
      return reply.code(204).send();
    },
  );
}
