import type { FastifyRequest } from "fastify";
import { workspaceBody, workspaceChanges } from "../../shared/workspaces.ts";
import type { Api, Context } from "../app.ts";
import { forbidden } from "../http/errors.ts";
import { pageQuery } from "../http/page.ts";
import {
  createWorkspace,
  isAdministratorSomewhere,
  listWorkspaces,
  readWorkspace,
  updateWorkspace,
} from "./workspaces.ts";

export function workspaceRoutes(api: Api, { database: { db } }: Context) {
  api.get("/api/workspaces", { config: { needs: "caller" }, schema: { querystring: pageQuery } }, (request) =>
    listWorkspaces(db, request.caller.user_id, request.query),
  );

  const administratorsOnly = async (request: FastifyRequest) => {
    if (!(await isAdministratorSomewhere(db, request.caller.user_id)))
      throw forbidden("Only an administrator may make a workspace.");
  };

  api.post(
    "/api/workspaces",
    { config: { needs: "caller" }, schema: { body: workspaceBody }, onRequest: administratorsOnly },
    async (request, reply) => {
      const userId = request.caller.user_id;
      const id = await db.transaction().execute((tx) => createWorkspace(tx, userId, request.body));
      return reply.code(201).send(await readWorkspace(db, id, userId));
    },
  );

  api.get("/api/workspaces/:workspaceId", { config: { needs: "member" } }, (request) =>
    readWorkspace(db, request.workspaceId, request.caller.user_id),
  );

  api.patch(
    "/api/workspaces/:workspaceId",
    { config: { needs: "administrator" }, schema: { body: workspaceChanges } },
    async (request) => {
      await updateWorkspace(db, request.workspaceId, request.body);
      return readWorkspace(db, request.workspaceId, request.caller.user_id);
    },
  );
}
