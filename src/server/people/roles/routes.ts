import type { FastifyRequest } from "fastify";
import { pageOf } from "../../../shared/answers.ts";
import { roleAnswer, roleBody, roleChanges, roleDeletion } from "../../../shared/roles.ts";
import type { Api } from "../../access/context.ts";
import { pageQuery } from "../../answers/page.ts";
import { childId } from "../../answers/validation.ts";
import { noBody } from "../../answers/operation.ts";
import { deleteRole } from "./delete-role.ts";
import { createRole } from "./create-role.ts";
import { listRoles, readRole } from "./read-roles.ts";
import { updateRole } from "./update-role.ts";

const roles = "/api/workspaces/:workspaceId/roles";
const role = `${roles}/:roleId`;
const manage = { needs: "administrator" } as const;

const mustExist = async (request: FastifyRequest) => {
  await readRole(request.db, request.workspace.id, childId(request, "roleId", "There is no such role."));
};

export function roleRoutes(api: Api) {
  listRoutes(api);
  itemRoutes(api);
}

function listRoutes(api: Api) {
  api.get(
    roles,
    {
      config: { needs: "member" },
      schema: {
        operationId: "listRoles",
        summary: "List a workspace's roles",
        querystring: pageQuery,
        response: { 200: pageOf(roleAnswer) },
      },
    },
    (request) => listRoles(request.db, request.workspace.id, request.query),
  );

  api.post(
    roles,
    {
      config: manage,
      schema: {
        operationId: "createRole",
        summary: "Create a role",
        body: roleBody,
        response: { 201: roleAnswer },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await createRole(request.db, request.workspace.id, request.body)),
  );
}

function itemRoutes(api: Api) {
  api.patch(
    role,
    {
      config: manage,
      schema: {
        operationId: "updateRole",
        summary: "Update a role",
        body: roleChanges,
        response: { 200: roleAnswer },
      },
      preValidation: mustExist,
    },
    (request) => updateRole(request.db, request.workspace.id, childId(request, "roleId"), request.body),
  );

  api.delete(
    role,
    {
      config: manage,
      schema: {
        operationId: "deleteRole",
        summary: "Delete a role",
        description: "A role in use needs `move_to`: the role that replaces it.",
        querystring: roleDeletion,
        response: { 204: noBody },
      },
      preValidation: mustExist,
    },
    async (request, reply) => {
      await deleteRole(request.db, request.workspace.id, childId(request, "roleId"), request.query.move_to);
      return reply.code(204).send();
    },
  );
}
