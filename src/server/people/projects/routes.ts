import type { FastifyRequest } from "fastify";
import { pageOf } from "../../../shared/answers.ts";
import { deletionAnswer } from "../../../shared/deletions.ts";
import { projectAnswer, projectBody, projectChanges, projectDetailAnswer } from "../../../shared/projects.ts";
import type { Api, Context } from "../../access/context.ts";
import { forbidden } from "../../answers/errors.ts";
import { pageQuery } from "../../answers/page.ts";
import { createProject } from "./create-project.ts";
import { deleteProject } from "./delete-project.ts";
import { listProjects, readProject } from "./read-projects.ts";
import { updateProject } from "./update-project.ts";

// No permission of a role covers this.
const ownerOnly = async (request: FastifyRequest) => {
  if (!request.access.all) throw forbidden("Only an owner or an administrator may delete a project.");
};

export function projectRoutes(api: Api, context: Context) {
  listRoutes(api, context);
  itemRoutes(api, context);
}

function listRoutes(api: Api, { publicUrl }: Context) {
  api.get(
    "/api/projects",
    {
      config: { needs: "caller", area: "any" },
      schema: {
        operationId: "listProjects",
        summary: "List the projects that the caller can access",
        querystring: pageQuery,
        response: { 200: pageOf(projectAnswer) },
      },
    },
    (request) => listProjects(request.db, request.caller, publicUrl(), request.query),
  );

  // Every member of a workspace may create projects there. The workspace is named in the body.
  api.post(
    "/api/projects",
    {
      config: { needs: "caller" },
      schema: {
        operationId: "createProject",
        summary: "Create a project",
        refuses: [403],
        body: projectBody,
        response: { 201: projectDetailAnswer },
      },
    },
    async (request, reply) => {
      const userId = request.caller.user_id;
      const projectId = await createProject(request.db, userId, request.body);
      return reply.code(201).send(await readProject(request.db, projectId, userId, publicUrl()));
    },
  );
}

function itemRoutes(api: Api, { config, publicUrl }: Context) {
  api.get(
    "/api/projects/:projectId",
    {
      config: { needs: "access" },
      schema: {
        operationId: "readProject",
        summary: "Read a project",
        response: { 200: projectDetailAnswer },
      },
    },
    (request) => readProject(request.db, request.project.id, request.caller.user_id, publicUrl()),
  );

  api.patch(
    "/api/projects/:projectId",
    {
      config: { needs: "project:update" },
      schema: {
        operationId: "updateProject",
        summary: "Update a project",
        body: projectChanges,
        response: { 200: projectDetailAnswer },
      },
    },
    async (request) => {
      const { webhookAllow: allowed } = config;
      await updateProject(request.db, request.project.id, request.body, { allowed, publicUrl: publicUrl() });
      return readProject(request.db, request.project.id, request.caller.user_id, publicUrl());
    },
  );

  api.delete(
    "/api/projects/:projectId",
    {
      config: { needs: "access" },
      onRequest: ownerOnly,
      schema: {
        operationId: "deleteProject",
        summary: "Delete a project with everything in it",
        description:
          "Only for owners of the project and administrators of its workspace. The project is gone for everyone when the response is sent, and its key can be used again. For 24 hours, `POST /api/deletions/{deletionId}/restore` brings it back. Then a background job deletes its rows and files; `GET /api/deletions` shows the progress.",
        response: { 202: deletionAnswer },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await deleteProject(request.db, request.project.id, request.caller.user_id)),
  );
}
