import type { FastifyRequest } from "fastify";
import { pageOf } from "../../../shared/answers.ts";
import { laneAnswer, laneBody, laneChanges, laneDeletion } from "../../../shared/lanes.ts";
import type { Api } from "../../access/context.ts";
import { pageQuery } from "../../answers/page.ts";
import { childId } from "../../answers/validation.ts";
import { noBody } from "../../answers/operation.ts";
import { createLane, deleteLane, listLanes, readLane, updateLane } from "./lanes.ts";

const lanes = "/api/projects/:projectId/lanes";
const lane = `${lanes}/:laneId`;
const manage = { needs: "project:update" } as const;
// Runs before validation, so that an unknown lane is 404 even when the body is invalid.
const requireLane = async (request: FastifyRequest) => {
  await readLane(request.db, request.project.id, childId(request, "laneId"));
};

export function laneRoutes(api: Api) {
  listRoutes(api);
  itemRoutes(api);
}

function listRoutes(api: Api) {
  api.get(
    lanes,
    {
      config: { needs: "access", area: "issues" },
      schema: {
        operationId: "listLanes",
        summary: "List a project's lanes",
        querystring: pageQuery,
        response: { 200: pageOf(laneAnswer) },
      },
    },
    (request) => listLanes(request.db, request.project.id, request.query),
  );

  api.post(
    lanes,
    {
      config: manage,
      schema: {
        operationId: "createLane",
        summary: "Create a lane",
        body: laneBody,
        response: { 201: laneAnswer },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await createLane(request.db, request.project.id, request.body)),
  );
}

function itemRoutes(api: Api) {
  api.patch(
    lane,
    {
      config: manage,
      schema: {
        operationId: "updateLane",
        summary: "Change a lane",
        body: laneChanges,
        response: { 200: laneAnswer },
      },
      preValidation: requireLane,
    },
    (request) =>
      updateLane(request.db, request.project, {
        laneId: childId(request, "laneId"),
        actorId: request.caller.user_id,
        body: request.body,
      }),
  );

  api.delete(
    lane,
    {
      config: manage,
      schema: {
        operationId: "deleteLane",
        summary: "Delete a lane",
        querystring: laneDeletion,
        response: { 204: noBody },
      },
      preValidation: requireLane,
    },
    async (request, reply) => {
      const { project, caller, query } = request;
      await deleteLane(request.db, project, {
        laneId: childId(request, "laneId"),
        actorId: caller.user_id,
        moveTo: query.move_to,
      });
      return reply.code(204).send();
    },
  );
}
