import type { FastifyRequest } from "fastify";
import { pageOf } from "../../../../shared/answers.ts";
import { workspaceMemberAnswer, workspaceMemberChanges } from "../../../../shared/workspaces.ts";
import type { Api } from "../../../access/context.ts";
import { pageQuery } from "../../../answers/page.ts";
import { childId } from "../../../answers/validation.ts";
import { noBody } from "../../../answers/operation.ts";
import { listWorkspaceMembers, readWorkspaceMember } from "./read-members.ts";
import { removeWorkspaceMember } from "./remove-member.ts";
import { updateWorkspaceMember } from "./update-member.ts";

const members = "/api/workspaces/:workspaceId/members";
const member = `${members}/:userId`;
const manage = { needs: "administrator" } as const;

const mustExist = async (request: FastifyRequest) => {
  await readWorkspaceMember(request.db, request.workspace.id, childId(request, "userId"));
};

export function workspaceMemberRoutes(api: Api) {
  listRoutes(api);
  itemRoutes(api);
}

function listRoutes(api: Api) {
  api.get(
    members,
    {
      config: { needs: "member" },
      schema: {
        operationId: "listWorkspaceMembers",
        summary: "List a workspace's members",
        querystring: pageQuery,
        response: { 200: pageOf(workspaceMemberAnswer) },
      },
    },
    (request) => listWorkspaceMembers(request.db, request.workspace.id, request.query),
  );
}

function itemRoutes(api: Api) {
  api.patch(
    member,
    {
      config: manage,
      schema: {
        operationId: "updateWorkspaceMember",
        summary: "Update a workspace member",
        description: "Making someone an administrator, or reactivating one, requires a browser session.",
        body: workspaceMemberChanges,
        response: { 200: workspaceMemberAnswer },
      },
      preValidation: mustExist,
    },
    (request) => {
      const { caller, workspace, body } = request;
      return updateWorkspaceMember(request.db, workspace.id, {
        userId: childId(request, "userId"),
        body,
        caller,
      });
    },
  );

  api.delete(
    member,
    {
      config: manage,
      schema: {
        operationId: "removeWorkspaceMember",
        summary: "Remove a member from a workspace",
        refuses: [422],
        response: { 204: noBody },
      },
    },
    async (request, reply) => {
      await removeWorkspaceMember(request.db, request.workspace.id, childId(request, "userId"));
      return reply.code(204).send();
    },
  );
}
