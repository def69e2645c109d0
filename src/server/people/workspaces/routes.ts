import type { FastifyRequest } from "fastify";
import { pageOf } from "../../../shared/answers.ts";
import { deletionAnswer } from "../../../shared/deletions.ts";
import { workspaceAnswer, workspaceBody, workspaceChanges } from "../../../shared/workspaces.ts";
import { requireSession } from "../../access/admission.ts";
import type { Api } from "../../access/context.ts";
import { forbidden } from "../../answers/errors.ts";
import { pageQuery } from "../../answers/page.ts";
import { createWorkspace } from "./create-workspace.ts";
import { deleteWorkspace } from "./delete-workspace.ts";
import { isAdministratorSomewhere, listWorkspaces, readWorkspace } from "./read-workspaces.ts";
import { updateWorkspace } from "./update-workspace.ts";

const administratorsOnly = async (request: FastifyRequest) => {
  if (!(await isAdministratorSomewhere(request.db, request.caller.user_id)))
    throw forbidden("Only an administrator of a workspace may create another.");
};

export function workspaceRoutes(api: Api) {
  listRoutes(api);
  itemRoutes(api);
}

function listRoutes(api: Api) {
  api.get(
    "/api/workspaces",
    {
      config: { needs: "caller" },
      schema: {
        operationId: "listWorkspaces",
        summary: "List the caller's workspaces",
        querystring: pageQuery,
        response: { 200: pageOf(workspaceAnswer) },
      },
    },
    (request) => listWorkspaces(request.db, request.caller.user_id, request.query),
  );

  api.post(
    "/api/workspaces",
    {
      config: { needs: "caller" },
      schema: {
        operationId: "createWorkspace",
        summary: "Create a workspace",
        description: "Only for administrators of a workspace.",
        body: workspaceBody,
        response: { 201: workspaceAnswer },
      },
      onRequest: administratorsOnly,
    },
    async (request, reply) => {
      const userId = request.caller.user_id;
      const id = await request.db.transaction().execute((tx) => createWorkspace(tx, userId, request.body));
      return reply.code(201).send(await readWorkspace(request.db, id, userId));
    },
  );
}

function itemRoutes(api: Api) {
  api.get(
    "/api/workspaces/:workspaceId",
    {
      config: { needs: "member" },
      schema: {
        operationId: "readWorkspace",
        summary: "Read a workspace",
        response: { 200: workspaceAnswer },
      },
    },
    (request) => request.workspace,
  );

  api.patch(
    "/api/workspaces/:workspaceId",
    {
      config: { needs: "administrator" },
      schema: {
        operationId: "updateWorkspace",
        summary: "Update a workspace",
        body: workspaceChanges,
        response: { 200: workspaceAnswer },
      },
    },
    async (request) => {
      await updateWorkspace(request.db, request.workspace.id, request.body);
      return readWorkspace(request.db, request.workspace.id, request.caller.user_id);
    },
  );

  api.delete(
    "/api/workspaces/:workspaceId",
    {
      config: { needs: "administrator" },
      schema: {
        operationId: "deleteWorkspace",
        summary: "Delete a workspace with all its projects",
        description:
          "Only for administrators in a browser session, and not for the installation's only workspace. The workspace is gone for everyone when the response is sent. For 24 hours, `POST /api/deletions/{deletionId}/restore` brings it back. Then a background job deletes its rows and files; `GET /api/deletions` shows the progress to the caller.",
        refuses: [422],
        response: { 202: deletionAnswer },
      },
      onRequest: async (request) => requireSession(request, "delete a workspace"),
    },
    async (request, reply) =>
      reply.code(202).send(await deleteWorkspace(request.db, request.workspace.id, request.caller.user_id)),
  );
}
