import type { FastifyRequest } from "fastify";
import { laneBody, laneChanges, laneDeletion } from "../../shared/lanes.ts";
import type { Api, Context } from "../app.ts";
import { pageQuery } from "../http/page.ts";
import { childId } from "../http/validation.ts";
import { createLane, deleteLane, listLanes, readLane, updateLane } from "./lanes.ts";

export function laneRoutes(api: Api, { database: { db } }: Context) {
  const lanes = "/api/projects/:projectId/lanes";
  const lane = `${lanes}/:laneId`;
  const manage = { needs: "project:update" } as const;

  api.get(lanes, { config: { needs: "access" }, schema: { querystring: pageQuery } }, (request) =>
    listLanes(db, request.project.id, request.query),
  );

  api.post(lanes, { config: manage, schema: { body: laneBody } }, async (request, reply) =>
    reply.code(201).send(await createLane(db, request.project.id, request.body)),
  );

  const mustExist = async (request: FastifyRequest) => {
    await readLane(db, request.project.id, childId(request, "laneId"));
  };

  api.patch(lane, { config: manage, schema: { body: laneChanges }, preValidation: mustExist }, (request) =>
    updateLane(db, request.project.id, childId(request, "laneId"), request.body),
  );

  api.delete(
    lane,
    { config: manage, schema: { querystring: laneDeletion }, preValidation: mustExist },
    async (request, reply) => {
      const { project, caller, query } = request;
      await deleteLane(db, project.id, childId(request, "laneId"), caller.user_id, query.move_to);
      return reply.code(204).send();
    },
  );
}
