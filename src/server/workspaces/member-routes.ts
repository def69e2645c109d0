import type { FastifyRequest } from "fastify";
import { workspaceMemberChanges } from "../../shared/workspaces.ts";
import type { Api, Context } from "../app.ts";
import { pageQuery } from "../http/page.ts";
import { childId } from "../http/validation.ts";
import {
  listWorkspaceMembers,
  readWorkspaceMember,
  removeWorkspaceMember,
  updateWorkspaceMember,
} from "./members.ts";

export function workspaceMemberRoutes(api: Api, { database: { db } }: Context) {
  const members = "/api/workspaces/:workspaceId/members";
  const member = `${members}/:userId`;
  const manage = { needs: "administrator" } as const;

  api.get(members, { config: { needs: "member" }, schema: { querystring: pageQuery } }, (request) =>
    listWorkspaceMembers(db, request.workspaceId, request.query),
  );

  const mustExist = async (request: FastifyRequest) => {
    await readWorkspaceMember(db, request.workspaceId, childId(request, "userId"));
  };

  api.patch(
    member,
    { config: manage, schema: { body: workspaceMemberChanges }, preValidation: mustExist },
    (request) => updateWorkspaceMember(db, request.workspaceId, childId(request, "userId"), request.body),
  );

  api.delete(member, { config: manage }, async (request, reply) => {
    await removeWorkspaceMember(db, request.workspaceId, childId(request, "userId"));
    return reply.code(204).send();
  });
}
