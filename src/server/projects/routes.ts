import type { FastifyRequest } from "fastify";
import { projectBody, projectChanges } from "../../shared/projects.ts";
import type { Api, Context } from "../app.ts";
import { forbidden } from "../http/errors.ts";
import { pageQuery } from "../http/page.ts";
import { createProject, deleteProject, listProjects, readProject, updateProject } from "./projects.ts";

export function projectRoutes(api: Api, { database: { db } }: Context) {
  api.get("/api/projects", { config: { needs: "caller" }, schema: { querystring: pageQuery } }, (request) =>
    listProjects(db, request.caller.user_id, request.query),
  );

  // Any member of the workspace may: which one is a matter of the body.
  api.post(
    "/api/projects",
    { config: { needs: "caller" }, schema: { body: projectBody } },
    async (request, reply) => {
      const userId = request.caller.user_id;
      const projectId = await createProject(db, userId, request.body);
      return reply.code(201).send(await readProject(db, projectId, userId));
    },
  );

  api.get("/api/projects/:projectId", { config: { needs: "access" } }, (request) =>
    readProject(db, request.project.id, request.caller.user_id),
  );

  api.patch(
    "/api/projects/:projectId",
    { config: { needs: "project:update" }, schema: { body: projectChanges } },
    async (request) => {
      await updateProject(db, request.project.id, request.body);
      return readProject(db, request.project.id, request.caller.user_id);
    },
  );

  // No role gives this away (platform.md, Who may).
  const ownerOnly = async (request: FastifyRequest) => {
    if (!request.access.all) throw forbidden("Only an owner or an administrator may delete a project.");
  };

  api.delete(
    "/api/projects/:projectId",
    { config: { needs: "access" }, onRequest: ownerOnly },
    async (request, reply) => {
      await deleteProject(db, request.project.id);
      return reply.code(204).send();
    },
  );
}
