import type { FastifyRequest } from "fastify";
import { labelBody, labelChanges } from "../../shared/labels.ts";
import type { Api, Context } from "../app.ts";
import { pageQuery } from "../http/page.ts";
import { childId } from "../http/validation.ts";
import { createLabel, deleteLabel, listLabels, readLabel, updateLabel } from "./labels.ts";

export function labelRoutes(api: Api, { database: { db } }: Context) {
  const labels = "/api/projects/:projectId/labels";
  const label = `${labels}/:labelId`;
  const manage = { needs: "project:update" } as const;

  api.get(labels, { config: { needs: "access" }, schema: { querystring: pageQuery } }, (request) =>
    listLabels(db, request.project.id, request.query),
  );

  api.post(labels, { config: manage, schema: { body: labelBody } }, async (request, reply) =>
    reply.code(201).send(await createLabel(db, request.project.id, request.body)),
  );

  const mustExist = async (request: FastifyRequest) => {
    await readLabel(db, request.project.id, childId(request, "labelId"));
  };

  api.patch(label, { config: manage, schema: { body: labelChanges }, preValidation: mustExist }, (request) =>
    updateLabel(db, request.project.id, childId(request, "labelId"), request.body),
  );

  api.delete(label, { config: manage }, async (request, reply) => {
    await deleteLabel(db, request.project.id, childId(request, "labelId"), request.caller.user_id);
    return reply.code(204).send();
  });
}
